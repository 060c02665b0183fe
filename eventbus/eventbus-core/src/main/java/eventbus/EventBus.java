package eventbus;

import eventbus.table.EventStore;
import eventbus.work.Announcer;
import eventbus.work.Counters;
import eventbus.work.NodeSettings;
import eventbus.work.WorkerPool;
import holdfast.jdbc.DeliveryControl;
import holdfast.jdbc.NodeTables;
import holdfast.jdbc.PostgreSqlWakeUp;
import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Closing;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.payload.Payloads;
import holdfast.time.TimeSource;
import holdfast.work.Retention;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Events through a table, from any pod to any one worker, at least once.
 *
 * <pre>{@code
 * EventBus bus = EventBus.builder(dataSource)
 *     .createTables()
 *     .handler(OrderPlaced.class, order -> mail(order))
 *     .build();
 * bus.start();
 * long id = bus.publishPayload(new OrderPlaced(1, "tea"));
 * }</pre>
 *
 * <p>Workers are optional: a bus that is not started publishes, and applications with a loop of
 * their own call {@link #poll} and {@link #finalize(Event, boolean)}. Any number of nodes may share
 * the tables. Safe for use by many threads; database calls may throw {@link EventBusException}.
 */
public final class EventBus implements AutoCloseable {
  private final EventStore store;
  private final EventRouter router;
  private final Publications publications;
  private final Payloads payloads;
  private final PolledEvents polled;
  private final Duration closeTimeout;
  private final TimeSource time;
  private final Counters counters;
  private final Announcer announcer;
  private final WorkerPool pool;
  private final PostgreSqlWakeUp wakeUp;
  private final @Nullable Retention retention;
  private final boolean publishOnly;
  private final DeliveryControl control;
  private final EventLog log;
  private final Lifecycle life = new Lifecycle("EventBus");
  private final ReentrantLock starting = new ReentrantLock(); // held while it starts
  private final Closing closing = new Closing();

  EventBus(EventBusBuilder builder, NodeSettings settings) {
    this.store = builder.store();
    this.router = builder.router;
    this.payloads = builder.payloads;
    this.publishOnly = builder.publishOnly;
    this.closeTimeout = settings.closeTimeout();
    this.time = builder.time;
    this.counters = new Counters();
    this.announcer = new Announcer(counters, builder.listener, builder.time);
    NodeTables nodes = store.nodes(settings.name(), builder.time);
    this.control = store.control(nodes, type -> publishOnly || router.handles(type));
    this.polled = new PolledEvents(store, settings, announcer, nodes);
    this.pool = new WorkerPool(store, router, settings, announcer, nodes, builder.time);
    this.wakeUp =
        new PostgreSqlWakeUp(
            "eventbus", builder.tables.events(), builder.dataSource, builder.wakeUp);
    pool.onReleased(wakeUp::notifyOthers);
    this.publications =
        new Publications(builder, settings, store, pool, wakeUp, counters, life::isRunning);
    this.retention = retention(settings.keep());
    this.log = new EventLog(store, this::wakeUp);
  }

  private @Nullable Retention retention(Map<EventStatus, Duration> keep) {
    return keep.isEmpty()
        ? null
        : new Retention(
            "eventbus",
            Collections.min(keep.values()),
            stop -> keep.forEach((status, time) -> store.purge(status, time, stop)),
            announcer.outage(),
            time);
  }

  /** Starts the settings of a bus whose tables are in that database, with the defaults. */
  public static EventBusBuilder builder(DataSource dataSource) {
    return new EventBusBuilder(dataSource);
  }

  /**
   * Starts the workers, unless this node {@linkplain EventBusBuilder#publishOnly publishes only},
   * and, if a retention is set, the purge of the log; does nothing the second time. A database that
   * does not answer is waited for.
   *
   * @throws EventBusException if a table is missing, lacks columns or rights, or has other types
   * @throws IllegalStateException if the bus is closed
   */
  public void start() {
    if (!life.isRunning() && !life.isClosed()) {
      store.requireTables(!publishOnly || retention != null);
    }
    starting.lock(); // a concurrent close finds all of it started, or nothing
    try {
      if (life.start()) {
        if (publishOnly) {
          announcer.publishesOnly();
        } else {
          pool.start();
        }
        if (retention != null) {
          retention.start();
        }
        wakeUp.start(publishOnly ? null : pool::wakeUp);
      }
    } finally {
      starting.unlock();
    }
  }

  /**
   * Publishes an event, in the {@linkplain EventBusBuilder#transaction current transaction} if the
   * bus sees one, or else in one of its own.
   *
   * @param event the event
   * @return its id
   * @throws IllegalArgumentException if it is too large
   */
  public long publish(Event event) {
    return publications.publish(event);
  }

  /**
   * Publishes an event in the caller's transaction: if that is rolled back, the event never was. If
   * it is not in autocommit mode, workers of this node notice the event at their next poll, or when
   * they are {@linkplain #wakeUp woken} after the commit.
   *
   * @param conn the caller's connection; neither committed nor closed here
   * @param event the event
   * @return its id
   * @throws IllegalArgumentException if it is too large
   */
  public long publish(Connection conn, Event event) {
    return publications.publish(conn, event);
  }

  /**
   * Publishes an event with an object as its JSON payload, where {@link #publish(Event)} does; its
   * type is that of the object's class, see {@link holdfast.payload.PayloadType}.
   *
   * @param payload the payload
   * @return the event's id
   * @throws IllegalArgumentException if its class has no event type, or it is too large
   * @throws holdfast.payload.PayloadException if it cannot be written as JSON
   * @throws IllegalStateException if there is no {@link holdfast.payload.PayloadMapper}
   */
  public long publishPayload(Object payload) {
    return publish(eventOf(payload).build());
  }

  /**
   * Starts an event with an object as its JSON payload, for one that also has headers, a priority
   * or a delay, or is published with a connection.
   *
   * @param payload the payload
   * @return a builder with type and payload set
   * @throws IllegalArgumentException if its class has no event type
   * @throws holdfast.payload.PayloadException if it cannot be written as JSON
   * @throws IllegalStateException if there is no {@link holdfast.payload.PayloadMapper}
   */
  public EventBuilder eventOf(Object payload) {
    Objects.requireNonNull(payload, "an event needs a payload but was given null");
    return Event.builder(payloads.typeOf(payload.getClass())).payload(payloads.write(payload));
  }

  /**
   * Publishes events, all or none, where {@link #publish(Event)} does.
   *
   * @param events the events
   * @return their ids, in the same order
   * @throws IllegalArgumentException if one is too large; none is published then
   */
  public List<Long> publishAll(List<Event> events) {
    return publications.publishAll(events);
  }

  /**
   * Publishes events in the caller's transaction; see {@link #publish(Connection, Event)}.
   *
   * @param conn the caller's connection; neither committed nor closed here
   * @param events the events
   * @return their ids, in the same order
   * @throws IllegalArgumentException if one is too large; none is published then
   */
  public List<Long> publishAll(Connection conn, List<Event> events) {
    return publications.publishAll(conn, events);
  }

  /**
   * Acquires the next event that is due, of any type, without waiting.
   *
   * @return the event as it is now, with its claim; empty if none is due
   */
  public Optional<Event> poll() {
    return poll(1).stream().findFirst();
  }

  /**
   * Acquires events that are due, of any type, without waiting: first priority first, then soonest
   * due. At most one of them is an event whose last worker was lost with it.
   *
   * @param max how many at most, 1 or more
   * @return the events as they are now, with their claims
   * @throws IllegalArgumentException if max is below 1
   */
  public List<Event> poll(int max) {
    return polled.poll(max);
  }

  /**
   * Closes an event, whoever has it: moves it to the log as COMPLETED or FAILED. Does nothing if it
   * is closed like this already.
   *
   * @param id the event
   * @param success whether it was handled
   * @throws UnknownEventException if there is no such event
   * @throws EventBusException if it was closed the other way
   */
  public void finalize(long id, boolean success) {
    store.finish(id, status(success));
  }

  /**
   * Closes an event by its claim: moves it to the log as COMPLETED or FAILED. Does nothing if this
   * claim has closed it like this already.
   *
   * @param event the event as {@link #poll} returned it
   * @param success whether it was handled
   * @return true if it is closed; false if the claim had passed to another worker, and this word
   *     was refused and counted
   * @throws UnknownEventException if there is no such event
   * @throws EventBusException if this claim has closed it the other way
   */
  public boolean finalize(Event event, boolean success) {
    return polled.close(event, status(success), null);
  }

  /**
   * Closes an event by its claim as FAILED, and says why; see {@link #finalize(Event, boolean)}.
   *
   * @param event the event as {@link #poll} returned it
   * @param error why it failed
   * @return false if the claim had passed to another worker
   */
  public boolean fail(Event event, String error) {
    return polled.close(event, EventStatus.FAILED, error);
  }

  private static EventStatus status(boolean success) {
    return success ? EventStatus.COMPLETED : EventStatus.FAILED;
  }

  /** Keeps a polled event for another abandonment time-out; false if another worker has it. */
  public boolean renew(Event event) {
    return polled.renew(event);
  }

  /** Releases a polled event, due at once, as if it had not been acquired. */
  public void release(Event event) {
    polled.release(event);
    wakeUp();
  }

  /**
   * Has workers poll for events now, for example after the commit of {@link #publish(Connection,
   * Event)}: those of this node or, if it has no free one, of other nodes too, on PostgreSQL.
   */
  public void wakeUp() {
    publications.wakeUp(1);
  }

  /** The handlers of this node; more can be registered at any time. */
  public EventRouter router() {
    return router;
  }

  /** The log of closed events. */
  public EventLog log() {
    return log;
  }

  /** The events that wait for their next attempt after a failure. */
  public WaitingEvents waiting() {
    return new WaitingEvents(store);
  }

  /** Pauses and resumes events, of a type or of all, for all nodes that share the tables. */
  public DeliveryControl control() {
    return control;
  }

  /**
   * Returns what is to be worked on, for all nodes together; counts every row. On a started node, a
   * type without a handler is logged once.
   */
  public Backlog backlog() {
    Backlog backlog = store.backlog(router::handles);
    if (life.isRunning()) {
      announcer.unhandled(backlog.unhandledTypes());
    }
    return backlog;
  }

  /**
   * Returns how long what is due, handled here and not paused has waited for a worker, at most, in
   * the table or in the queue of this node; cheap to ask.
   */
  public Duration lag() {
    return pool.lag();
  }

  /** The ledger of all nodes together at one moment; counts rows, so ask once a minute at most. */
  public LedgerSnapshot ledger() {
    return store.ledger();
  }

  /** What this node has done. */
  public Counts counts() {
    return counters.counts();
  }

  /** Returns how long the handler that runs longest has run; zero if none runs. */
  public Duration longestRunning() {
    return pool.longestRunning();
  }

  /** Returns whether every worker has a handler that has run for a minute and more. */
  public boolean allWorkersHang() {
    return pool.allWorkersHang();
  }

  /** Returns how many events this node has in flight: queued, running or awaiting their record. */
  public int inFlight() {
    return pool.inFlight();
  }

  /** Closes within the time the bus was built with; see {@link #close(Duration)}. */
  @Override
  public void close() {
    close(closeTimeout);
  }

  /**
   * Stops the workers: claims no more, releases at once what has not begun, lets handlers finish
   * within the time given and interrupts those that do not. Publishing still works. Idempotent; a
   * concurrent second call waits for the first.
   *
   * @param timeout the time for all of it
   * @return what was left behind; the same the second time
   */
  public CloseReport close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    return closing.close(deadline, () -> drain(timeout, deadline));
  }

  private CloseReport drain(Duration timeout, Deadline deadline) {
    boolean wasRunning;
    starting.lock();
    try {
      wasRunning = life.isRunning();
      life.close();
    } finally {
      starting.unlock();
    }
    CloseReport report = CloseReport.CLEAN;
    if (wasRunning) {
      if (retention != null) {
        retention.close(timeout.dividedBy(4));
      }
      report = publishOnly ? report : pool.close(deadline.remaining());
      wakeUp.close(deadline.remaining()); // after it: what was released wakes other nodes
      store.logLedger(deadline.remaining());
    }
    return report;
  }
}
