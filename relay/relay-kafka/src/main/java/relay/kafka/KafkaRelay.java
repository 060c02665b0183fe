package relay.kafka;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Closing;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.log.LibraryLogger;
import holdfast.log.LineLimit;
import holdfast.time.TimeSource;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.Producer;
import outbox.AsyncEventListener;
import outbox.EventEnvelope;
import outbox.RetryAfterException;

/**
 * A listener of the outbox that sends events to topics of Apache Kafka. An event is done when the
 * broker has acknowledged it; many are on their way at the same time, with few workers.
 *
 * <pre>{@code
 * KafkaRelay relay = KafkaRelay.builder(Map.of("bootstrap.servers", "localhost:9092"), source)
 *     .topic("orders.{type}")
 *     .build();
 * relay.start();
 * JdbcOutbox outbox = JdbcOutbox.builder(dataSource).listenerForAll(relay).build();
 * outbox.start();
 * }</pre>
 *
 * <p>Close the outbox first, then the relay. Safe for use by many threads.
 */
public final class KafkaRelay implements AsyncEventListener, AutoCloseable {
  private static final System.Logger LOG = LibraryLogger.of("relay");
  private static final Duration NOT_STARTED_DELAY = Duration.ofSeconds(1);

  private final CloudEventRecords records;
  private final BrokerConnection connection;
  private final EventSender sender;
  private final Duration closeTimeout;
  private final TimeSource time;
  private final SendCounts counts = new SendCounts();
  private final Lifecycle life = new Lifecycle("KafkaRelay");
  private final Closing closing = new Closing();
  private final LineLimit notStarted;

  KafkaRelay(
      CloudEventRecords records,
      BrokerConnection connection,
      Duration probeInterval,
      Duration closeTimeout,
      TimeSource time) {
    this.records = records;
    this.connection = connection;
    this.sender = new EventSender(connection, probeInterval, time);
    this.closeTimeout = closeTimeout;
    this.time = time;
    this.notStarted = new LineLimit(time);
  }

  /**
   * Starts the settings of a relay with a producer of its own.
   *
   * @param producerConfig settings of Kafka's producer, {@code bootstrap.servers} at least; the
   *     relay adds its defaults, and {@link KafkaRelayBuilder#build} refuses what would break its
   *     guarantees
   * @param source the attribute {@code source} of the events, such as {@code
   *     https://shop.example/orders}
   * @return a builder with the defaults
   */
  public static KafkaRelayBuilder builder(Map<String, ?> producerConfig, URI source) {
    Objects.requireNonNull(
        producerConfig,
        "builder needs settings of a producer but was given null; pass bootstrap.servers at least");
    return new KafkaRelayBuilder(Map.copyOf(producerConfig), null, requireSource(source));
  }

  /**
   * Starts the settings of a relay with the application's producer. It must have {@code acks=all}
   * and idempotence, which the relay cannot see, and is not closed by the relay.
   *
   * @param producer the producer
   * @param source the attribute {@code source} of the events
   * @return a builder with the defaults
   */
  public static KafkaRelayBuilder builder(Producer<String, byte[]> producer, URI source) {
    Objects.requireNonNull(
        producer, "builder needs a producer but was given null; pass an open one");
    return new KafkaRelayBuilder(Map.of(), producer, requireSource(source));
  }

  private static URI requireSource(URI source) {
    return Objects.requireNonNull(
        source,
        "builder needs a source but was given null; pass a URI that says where events come from");
  }

  /**
   * Starts the relay; idempotent. Does not wait for a broker.
   *
   * @throws IllegalStateException if it is closed
   * @throws org.apache.kafka.common.KafkaException if Kafka's client refuses its settings
   */
  public void start() {
    if (life.start()) {
      sender.start();
      LOG.log(INFO, "relay kafka started source=" + records.source());
    }
  }

  /**
   * Sends an event.
   *
   * @param event the event
   * @return completes when the broker has acknowledged it. Fails with {@link
   *     outbox.NonRetryableException} if it can never be sent as it is, and with {@link
   *     RetryAfterException}, which costs no attempt, if no broker acknowledges events now
   */
  @Override
  public CompletionStage<?> onEventAsync(EventEnvelope event) throws Exception {
    if (life.isNew()) {
      return notStarted();
    }
    PendingEvent pending;
    try {
      pending = new PendingEvent(event, records.of(event), counts);
    } catch (RefusedEventException e) {
      counts.refused(e.reason());
      throw e;
    } catch (RuntimeException e) { // of a function of the application
      counts.refused(FailureReason.OTHER);
      throw e;
    }
    sender.offer(pending);
    return pending;
  }

  private CompletionStage<?> notStarted() {
    counts.refused(FailureReason.CLOSED);
    String line = "relay kafka is not started and sends nothing; call start() before the outbox's";
    if (notStarted.next() > 0) {
      LOG.log(WARNING, line);
    }
    return CompletableFuture.failedFuture(new RetryAfterException(NOT_STARTED_DELAY, line));
  }

  /** Returns whether no broker acknowledges events now, so that only one at a time is sent. */
  public boolean isPaused() {
    return sender.isPaused();
  }

  /** Returns the ledger of this relay at this moment. */
  public RelayLedger ledger() {
    return counts.snapshot();
  }

  /** Closes within the time the relay was built with; see {@link #close(Duration)}. */
  @Override
  public void close() {
    close(closeTimeout);
  }

  /**
   * Gives back what is held, waits for what is sent within the time given, and closes a producer of
   * its own. What is not acknowledged then goes back to the outbox. Idempotent; a concurrent second
   * call waits for the first.
   *
   * @param timeout the time for all of it
   * @return what was left behind
   */
  public CloseReport close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    return closing.close(deadline, () -> closeNow(deadline));
  }

  private CloseReport closeNow(Deadline deadline) {
    life.close();
    long released = sender.close(deadline);
    counts.awaitNoneInFlight(deadline);
    long unanswered = counts.inFlight();
    connection.close(deadline.remaining());
    LOG.log(INFO, "relay kafka closed " + ledger().toLine());
    long stillRunning = counts.inFlight();
    return new CloseReport(released + unanswered - stillRunning, stillRunning, 0);
  }
}
