package relay.kafka;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Loop;
import holdfast.log.FailureSeries;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import outbox.RetryAfterException;

/**
 * Sends events, and pauses while no broker acknowledges them. Safe for use by many threads.
 *
 * <p>Normally an event is sent by the thread that brings it, a worker of the outbox. When a record
 * is not acknowledged in time the sender is paused, as a whole: events that come are held, and the
 * sender's own thread sends one of them at a time, the probe. The first acknowledgement ends the
 * pause, and what is held is sent. The failures of a pause cost events no attempt: they go back to
 * the outbox to be tried again after the probe interval.
 *
 * <p>Held events are bounded in number and bytes, and go back after {@link #HELD_AT_MOST}, so that
 * another node may have better luck. While events are held, the outbox has no more in flight than
 * its limit for the type says, and leaves the others untouched in the table.
 */
final class EventSender {
  /** How long an event is held; below the time after which the outbox reports that it hangs. */
  static final Duration HELD_AT_MOST = Duration.ofSeconds(20);

  private static final int MOST_HELD = 10_000;
  private static final long MOST_HELD_BYTES = 16L * 1024 * 1024;
  private static final int MOST_KNOWN_TOPICS = 10_000;
  private static final Duration CEILING = Duration.ofMinutes(1);

  /*
   * Everything below that is not final is guarded by this object's lock, which is never held while
   * a record is sent, a stage completed or a line logged. An era is the time between two pauses.
   * A record that was sent before a pause and fails after it says nothing about the broker of now.
   */
  private final BrokerConnection connection;
  private final Duration probeInterval;
  private final TimeSource time;
  private final Loop loop;
  private final FailureSeries failures;
  private final Set<String> knownTopics = ConcurrentHashMap.newKeySet();
  private final Deque<PendingEvent> held = new ArrayDeque<>();
  private long heldBytes;
  private volatile boolean paused;
  private volatile boolean closed;
  private @Nullable PendingEvent probe;
  private long probeAt;
  private boolean needsNewProducer;
  private long era;

  EventSender(BrokerConnection connection, Duration probeInterval, TimeSource time) {
    this.connection = connection;
    this.probeInterval = probeInterval;
    this.time = time;
    this.failures =
        new FailureSeries(LibraryLogger.of("relay"), ERROR, "relay kafka sending", "", time);
    this.loop = new Loop("relay-kafka", CEILING, this::step, this::stepFailed, time);
  }

  void start() {
    connection.open();
    loop.start();
  }

  boolean isPaused() {
    return paused;
  }

  /** Sends an event, holds it, or gives it back. */
  void offer(PendingEvent event) {
    if (hold(event)) {
      loop.wakeUp();
    } else if (closed) {
      later(event, FailureReason.CLOSED, "the relay is closed");
    } else if (paused) {
      later(event, FailureReason.PAUSED, "the relay is paused and holds as many events as it may");
    } else {
      send(event);
    }
  }

  private synchronized boolean hold(PendingEvent event) {
    event.era = era;
    boolean hasRoom = held.size() < MOST_HELD && heldBytes + event.size() <= MOST_HELD_BYTES;
    if (!paused || closed || !hasRoom) {
      return false;
    }
    event.heldAt = time.nanoTime();
    held.add(event);
    heldBytes += event.size();
    return true;
  }

  private void send(PendingEvent event) {
    try {
      String topic = event.record().topic();
      if (!knownTopics.contains(topic)) {
        connection.requireTopic(topic);
        remember(topic);
      }
      connection.send(event.record(), (sent, failure) -> ended(event, failure));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ended(event, e);
    } catch (Exception e) {
      ended(event, e);
    }
  }

  private void remember(String topic) {
    if (knownTopics.size() >= MOST_KNOWN_TOPICS) {
      knownTopics.clear();
    }
    knownTopics.add(topic);
  }

  private void ended(PendingEvent event, @Nullable Exception failure) {
    if (failure == null) {
      event.acknowledge();
      brokerAnswered();
      return;
    }
    Verdict verdict = Verdict.of(failure, event.record().topic());
    if (verdict instanceof Verdict.Refused refused) {
      event.fail(refused.failure().reason(), refused.failure());
      if (refused.isByBroker()) {
        knownTopics.remove(event.record().topic());
        brokerAnswered();
      }
      probeEnded(event, Duration.ZERO);
    } else if (verdict instanceof Verdict.Unavailable unavailable) {
      unavailable(event, unavailable);
    } else if (verdict instanceof Verdict.Other other) {
      event.fail(FailureReason.OTHER, other.cause());
      probeEnded(event, probeInterval);
    }
  }

  private void unavailable(PendingEvent event, Verdict.Unavailable verdict) {
    if (closed) {
      later(event, FailureReason.CLOSED, "the relay was closed before the broker had answered");
      return;
    }
    // What the broker says of the topic is asked again: it may have been deleted.
    knownTopics.remove(event.record().topic());
    if (pause(event, verdict.needsNewProducer())) {
      failures.failed(" paused=true topic=" + event.record().topic(), verdict.cause());
    }
    later(
        event,
        FailureReason.BROKER_UNAVAILABLE,
        "no broker acknowledged the event in time; the relay is paused until one does: "
            + verdict.cause());
    probeEnded(event, probeInterval);
    loop.wakeUp();
  }

  private synchronized boolean pause(PendingEvent event, boolean broken) {
    if (!paused && event.era < era) {
      return false;
    }
    if (!paused) {
      paused = true;
      probeAt = time.nanoTime() + probeInterval.toNanos();
    }
    needsNewProducer |= broken;
    return true;
  }

  private void brokerAnswered() {
    if (!paused) {
      return;
    }
    synchronized (this) {
      paused = false;
      probe = null;
      era++;
    }
    failures.worked();
    loop.wakeUp();
  }

  private void probeEnded(PendingEvent event, Duration wait) {
    synchronized (this) {
      if (!event.equals(probe)) {
        return;
      }
      probe = null;
      probeAt = time.nanoTime() + wait.toNanos();
    }
    loop.wakeUp();
  }

  private void later(PendingEvent event, FailureReason reason, String why) {
    event.fail(reason, new RetryAfterException(probeInterval, why));
  }

  /** A turn of the sender's own thread: returns when the next is due. */
  private Duration step() {
    for (PendingEvent event : heldTooLong()) {
      later(event, FailureReason.PAUSED, "the relay is paused; another node may be able to send");
    }
    PendingEvent next = next();
    while (next != null) {
      if (!next.isDone()) {
        sendHeld(next);
      } else {
        probeEnded(next, Duration.ZERO);
      }
      next = next();
    }
    return untilNextTurn();
  }

  private void sendHeld(PendingEvent event) {
    if (takeNeedForNewProducer()) {
      try {
        connection.renew();
      } catch (KafkaException e) { // of a name that cannot be resolved, for example
        ended(event, e);
        return;
      }
    }
    send(event);
  }

  private synchronized boolean takeNeedForNewProducer() {
    boolean needed = needsNewProducer;
    needsNewProducer = false;
    return needed;
  }

  private synchronized List<PendingEvent> heldTooLong() {
    List<PendingEvent> expired = new ArrayList<>();
    long since = time.nanoTime() - HELD_AT_MOST.toNanos();
    PendingEvent oldest = held.peek();
    while (oldest != null && oldest.heldAt - since <= 0) {
      expired.add(held.remove());
      heldBytes -= oldest.size();
      oldest = held.peek();
    }
    return expired;
  }

  /** The next event to be sent by this thread: while paused, only as the probe. */
  private synchronized @Nullable PendingEvent next() {
    if (closed || (paused && (probe != null || probeAt - time.nanoTime() > 0))) {
      return null;
    }
    PendingEvent next = held.poll();
    if (next != null) {
      heldBytes -= next.size();
      next.era = era;
      probe = paused ? next : null;
    }
    return next;
  }

  private synchronized Duration untilNextTurn() {
    PendingEvent oldest = held.peek();
    if (oldest == null) {
      return CEILING;
    }
    long now = time.nanoTime();
    long expiry = oldest.heldAt + HELD_AT_MOST.toNanos() - now;
    boolean waitsForProbe = paused && probe == null;
    return Duration.ofNanos(waitsForProbe ? Math.min(expiry, probeAt - now) : expiry);
  }

  private void stepFailed(Exception failure) {
    failures.failed(" during=probe", failure);
  }

  /** Sends nothing more and gives back what is held; what is sent may end until the deadline. */
  long close(Deadline deadline) {
    List<PendingEvent> givenBack = new ArrayList<>();
    synchronized (this) {
      closed = true;
      givenBack.addAll(held);
      held.clear();
      heldBytes = 0;
    }
    givenBack.forEach(event -> later(event, FailureReason.CLOSED, "the relay is closed"));
    loop.close(deadline.remaining().dividedBy(4));
    return givenBack.size();
  }
}
