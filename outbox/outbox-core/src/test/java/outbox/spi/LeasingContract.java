package outbox.spi;

import holdfast.work.SuspectLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.ClaimRequest;
import outbox.model.ClaimResult;
import outbox.model.Held;
import outbox.model.LeaseTerms;

/** What the parts of the kit that are about leases need, and do over and over. */
public abstract class LeasingContract extends StoreContract {
  static final Duration LEASE = Duration.ofSeconds(30);
  static final Duration LATER = Duration.ofMinutes(10);
  static final LeaseTerms HERE = new LeaseTerms("here", LEASE);
  static final LeaseTerms THERE = new LeaseTerms("there", LEASE);
  static final int MAX_LAPSES = 3;

  private final LeaseStoreUnderTest subject;

  LeasingContract(LeaseStoreUnderTest subject) {
    super(subject);
    this.subject = subject;
  }

  LeaseStore store() {
    return subject.store();
  }

  LeaseStore storeAfter(Duration passed) {
    return subject.after(passed);
  }

  LeaseStore storeSkippingDead() {
    return subject.skippingDead();
  }

  void insert(LeaseTerms terms, EventEnvelope... events) throws Exception {
    inTransaction(
        conn -> {
          store().insertAll(conn, Arrays.asList(events), terms);
          return null;
        });
  }

  static ClaimRequest request(int limit) {
    return new ClaimRequest(
        HERE, limit, Map.of(), Long.MAX_VALUE, new SuspectLimit(1, 0), MAX_LAPSES, Duration.ZERO);
  }

  ClaimResult claim(LeaseStore from, ClaimRequest request, Predicate<String> reserve)
      throws Exception {
    return inTransaction(conn -> from.claim(conn, request, reserve));
  }

  ClaimResult claim(LeaseStore from, int limit) throws Exception {
    return claim(from, request(limit), id -> true);
  }

  /** Claims, as a node that is about to deliver. */
  Held held(String eventId) throws Exception {
    List<Claim> claims = claim(store(), 1).claims();
    if (!claimed(claims).equals(List.of(eventId))) {
      throw new AssertionError("expected to claim " + eventId + " but got " + claims);
    }
    return claims.get(0).held();
  }

  static List<String> claimed(List<Claim> claims) {
    return claims.stream().map(claim -> claim.event().eventId()).toList();
  }

  static List<EventEnvelope> many(int count) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(event("many-%05d".formatted(i)));
    }
    return events;
  }
}
