package relay.kafka;

import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/** Settings of a {@link KafkaRelay}. Not safe for use by many threads. */
public final class KafkaRelayBuilder {
  /** The default of the template of topics: {@value}. */
  public static final String DEFAULT_TOPIC = "{type}";

  /** The default of probeInterval: 2 seconds. */
  public static final Duration DEFAULT_PROBE_INTERVAL = Duration.ofSeconds(2);

  /** The default of closeTimeout: 10 seconds. */
  public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** The relay's default of {@code max.block.ms}: 5 seconds. */
  public static final Duration DEFAULT_MAX_BLOCK = Duration.ofSeconds(5);

  /** The relay's default of {@code delivery.timeout.ms}: 30 seconds. */
  public static final Duration DEFAULT_DELIVERY_TIMEOUT = Duration.ofSeconds(30);

  /** The relay's default of {@code request.timeout.ms}: 10 seconds. */
  public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration LONGEST_PROBE_INTERVAL = Duration.ofMinutes(1);

  private final Map<String, Object> config;
  private final @Nullable Producer<String, byte[]> producer;
  private final URI source;
  private final Map<String, String> topics = new HashMap<>();
  private String template = DEFAULT_TOPIC;
  private @Nullable Function<EventEnvelope, @Nullable String> topicFunction;
  private Function<EventEnvelope, @Nullable String> key = EventEnvelope::aggregateId;
  private Function<EventEnvelope, @Nullable URI> dataSchema = event -> null;
  private boolean structured;
  private boolean createTopics;
  private int partitions;
  private int replication;
  private Duration probeInterval = DEFAULT_PROBE_INTERVAL;
  private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
  private TimeSource time = TimeSource.system();

  KafkaRelayBuilder(
      Map<String, Object> config, @Nullable Producer<String, byte[]> producer, URI source) {
    this.config = config;
    this.producer = producer;
    this.source = source;
  }

  /**
   * Sets the topic of events whose type has none of its own, with the placeholders {@code {type}},
   * {@code {aggregateType}} and {@code {tenant}}; replaces a function. Default: {@code {type}}.
   */
  public KafkaRelayBuilder topic(String template) {
    this.template = Objects.requireNonNull(template, "template");
    this.topicFunction = null;
    return this;
  }

  /** Sets the topic of events of one type, or its template; replaces one set for that type. */
  public KafkaRelayBuilder topic(String eventType, String topic) {
    topics.put(
        Objects.requireNonNull(eventType, "eventType"), Objects.requireNonNull(topic, "topic"));
    return this;
  }

  /** Sets what finds the topic of events whose type has none of its own; replaces the template. */
  public KafkaRelayBuilder topic(Function<EventEnvelope, @Nullable String> topic) {
    this.topicFunction = Objects.requireNonNull(topic, "topic");
    return this;
  }

  /**
   * Sets what finds the key of a record, which decides the partition; null for any partition.
   * Default: the aggregate's id, so that events of an aggregate stay in order.
   */
  public KafkaRelayBuilder key(Function<EventEnvelope, @Nullable String> key) {
    this.key = Objects.requireNonNull(key, "key");
    return this;
  }

  /** Sets what finds the URI of the schema of a payload. Default: no event has one. */
  public KafkaRelayBuilder dataSchema(Function<EventEnvelope, @Nullable URI> dataSchema) {
    this.dataSchema = Objects.requireNonNull(dataSchema, "dataSchema");
    return this;
  }

  /**
   * Sends events in structured mode: attributes and payload as one JSON object, {@code
   * application/cloudevents+json}. Replaces binary mode, where attributes are headers.
   */
  public KafkaRelayBuilder structured() {
    this.structured = true;
    return this;
  }

  /**
   * Creates a topic that does not exist when the first event for it comes. Default: it is a failure
   * of the event. Needs a producer of the relay's own.
   *
   * @param partitions how many partitions, 1 or more
   * @param replication how many copies, 1 or more
   */
  public KafkaRelayBuilder createTopics(int partitions, int replication) {
    this.createTopics = true;
    this.partitions = partitions;
    this.replication = replication;
    return this;
  }

  /**
   * Sets how long to wait between two probes while no broker acknowledges events, and how soon an
   * event that could not be sent comes again; up to a minute. Default: 2 seconds.
   */
  public KafkaRelayBuilder probeInterval(Duration probeInterval) {
    this.probeInterval = Objects.requireNonNull(probeInterval, "probeInterval");
    return this;
  }

  /** Sets the time for {@link KafkaRelay#close()}, zero or more. Default: 10 seconds. */
  public KafkaRelayBuilder closeTimeout(Duration closeTimeout) {
    this.closeTimeout = Objects.requireNonNull(closeTimeout, "closeTimeout");
    return this;
  }

  /** Sets the clock that pauses are measured by; for tests. */
  public KafkaRelayBuilder timeSource(TimeSource time) {
    this.time = Objects.requireNonNull(time, "timeSource");
    return this;
  }

  /**
   * Builds the relay. Nothing is started; {@link KafkaRelay#start()} does that.
   *
   * @return the relay, not started
   * @throws IllegalArgumentException if a setting is out of range, or one of the producer breaks a
   *     guarantee, naming all of them
   */
  public KafkaRelay build() {
    Problems problems = new Problems("KafkaRelay");
    check(problems);
    BrokerConnection connection = connection(problems);
    problems.throwIfAny();
    TopicRouting others =
        topicFunction == null ? TopicRouting.of(template) : TopicRouting.of(topicFunction);
    CloudEventRecords records =
        new CloudEventRecords(others.with(topics), source, key, dataSchema, structured);
    return new KafkaRelay(records, connection, probeInterval, closeTimeout, time);
  }

  private BrokerConnection connection(Problems problems) {
    if (producer != null) {
      if (createTopics) {
        problems.add(
            "createTopics needs a producer of the relay's own but one was supplied; pass its"
                + " settings instead, or create topics yourself");
      }
      return new SuppliedProducer(producer);
    }
    OwnProducer.NewTopics newTopics =
        createTopics ? new OwnProducer.NewTopics(partitions, (short) replication) : null;
    Map<String, Object> complete = ProducerSettings.complete(config, problems);
    problems.throwIfAny();
    return new OwnProducer(complete, newTopics);
  }

  private void check(Problems problems) {
    problems
        .require(!source.toString().isEmpty(), "source", "not be empty", source)
        .requirePositive("probeInterval", probeInterval)
        .require(
            probeInterval.compareTo(LONGEST_PROBE_INTERVAL) <= 0,
            "probeInterval",
            "be a minute or less",
            probeInterval)
        .requireZeroOrMore("closeTimeout", closeTimeout);
    if (createTopics) {
      problems
          .require(partitions >= 1, "partitions", "be 1 or more", partitions)
          .require(
              replication >= 1 && replication <= Short.MAX_VALUE,
              "replication",
              "be 1 or more",
              replication);
    }
    addMistake(problems, topicFunction == null ? template : DEFAULT_TOPIC);
    topics.values().forEach(topic -> addMistake(problems, topic));
  }

  private static void addMistake(Problems problems, String template) {
    String mistake = TopicRouting.mistakeIn(template);
    if (mistake != null) {
      problems.add(mistake);
    }
  }
}
