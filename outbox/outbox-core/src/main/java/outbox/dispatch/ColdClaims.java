package outbox.dispatch;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.log.LibraryLogger;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Claim;
import outbox.model.ClaimRequest;
import outbox.model.ClaimResult;
import outbox.model.OutboxEvent;
import outbox.spi.LeaseStore;

/**
 * Brings due events from the table into the cold queue, never more than it has room for: locks
 * them, reserves them in this node, claims what could be reserved, all in one transaction. Used by
 * one thread at a time.
 */
final class ColdClaims {
  /** How often to look for events that wait for others: what comes between is read meanwhile. */
  private static final Duration PARK_EVERY = Duration.ofSeconds(1);

  /** How many times in a row at most, so that claims go on. */
  private static final int PARK_ROUNDS = 20;

  private static final String PARKING = "setting ordered events aside";
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final Node node;
  private final int maxAttempts;
  private long parkedAt;

  ColdClaims(Node node, int maxAttempts) {
    this.node = node;
    this.maxAttempts = maxAttempts;
    this.parkedAt = node.time().nanoTime() - PARK_EVERY.toNanos();
  }

  /** What was claimed; empty if the table cannot lend events. */
  synchronized Optional<ClaimResult> claim(LeaseStore store, int limit, Duration minAge)
      throws SQLException {
    int room = Math.min(limit, node.queues().coldCapacityLeft());
    ClaimRequest request =
        new ClaimRequest(node.terms(), room, !node.inHand().hasSuspect(), maxAttempts, minAge);
    List<String> reserved = new ArrayList<>();
    long sentAt = node.time().nanoTime();
    try {
      Optional<ClaimResult> result =
          node.claiming()
              .call(
                  conn ->
                      store.supportsLeases(conn)
                          ? Optional.of(store.claim(conn, request, id -> reserve(id, reserved)))
                          : Optional.empty());
      result.ifPresent(found -> enqueueAll(found, reserved, sentAt));
      if (result.isPresent() && sentAt - parkedAt >= PARK_EVERY.toNanos()) {
        parkedAt = parkAll(store, minAge) ? sentAt - PARK_EVERY.toNanos() : sentAt;
      }
      return result;
    } finally {
      reserved.forEach(node.inHand()::cancel);
    }
  }

  private void enqueueAll(ClaimResult result, List<String> reserved, long sentAt) {
    for (Claim claim : result.claims()) {
      reserved.remove(claim.event().eventId());
      enqueue(claim, sentAt);
    }
    result.dead().forEach(this::reportDead);
  }

  /** Sets aside what waits for others; whether there may be more of it. */
  private boolean parkAll(LeaseStore store, Duration minAge) {
    try {
      int rounds = 0;
      while (rounds < PARK_ROUNDS && park(store, minAge) > 0) {
        rounds++;
      }
      node.log().outage().worked(PARKING);
      return rounds == PARK_ROUNDS;
    } catch (SQLException | OutboxException e) {
      node.log().outage().failed(PARKING, e);
      return false;
    }
  }

  private int park(LeaseStore store, Duration minAge) throws SQLException {
    List<String> reserved = new ArrayList<>();
    try {
      return node.claiming().call(conn -> store.parkDue(conn, minAge, id -> reserve(id, reserved)));
    } finally {
      reserved.forEach(node.inHand()::cancel);
    }
  }

  private boolean reserve(String eventId, List<String> reserved) {
    boolean granted = node.inHand().reserve(eventId);
    if (granted) {
      reserved.add(eventId);
    }
    return granted;
  }

  private void enqueue(Claim claim, long sentAt) {
    long ends = sentAt + node.lease().length().toNanos();
    Delivery delivery;
    try {
      delivery = Delivery.cold(EventEnvelope.of(claim), claim, sentAt, ends);
    } catch (IllegalArgumentException e) {
      giveUpUndecodable(claim, sentAt, ends, e);
      return;
    }
    if (claim.suspect()) {
      node.metrics().incrementLapsedClaims();
    }
    node.inHand().add(delivery);
    if (node.queues().offerCold(delivery)) {
      node.metrics().incrementColdEnqueued();
    } else if (delivery.leave()) {
      node.writer().add(new Mark(delivery, new Outcome.GivenBack(Duration.ZERO)));
    }
  }

  private void giveUpUndecodable(Claim claim, long sentAt, long ends, Exception cause) {
    String id = claim.event().eventId();
    LOG.log(ERROR, "outbox cannot decode eventId=" + id + ", giving it up", cause);
    EventEnvelope stub = EventEnvelope.of(withoutContent(claim.event()));
    Delivery delivery = Delivery.cold(stub, claim, sentAt, ends);
    node.inHand().add(delivery);
    if (delivery.leave()) {
      node.writer().add(new Mark(delivery, new Outcome.Dead("cannot be decoded: " + cause, null)));
    }
  }

  /** Not built: a row that others wrote may break the rules for new events as well. */
  private static OutboxEvent withoutContent(OutboxEvent row) {
    return new OutboxEvent(
        row.eventId(),
        row.eventType(),
        null,
        null,
        null,
        "null",
        null,
        row.attempts(),
        row.createdAt(),
        null);
  }

  private void reportDead(String eventId) {
    String times = " times while it was delivered";
    node.log().dead(eventId, null, "its node died or hung more than " + maxAttempts + times);
  }
}
