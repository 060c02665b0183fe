package relay.kafka;

import holdfast.lifecycle.Deadline;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** A producer and an admin client that the relay makes of settings, and closes. */
final class OwnProducer implements BrokerConnection {
  private static final int LEAST_PATIENCE_MS = 1_000;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private final Map<String, Object> config;
  private final @Nullable NewTopics newTopics;
  private final int patienceMs;
  private volatile @Nullable Producer<String, byte[]> producer;
  private volatile @Nullable Admin admin;
  private boolean isClosed; // guarded by this

  /** How topics are created. */
  record NewTopics(int partitions, short replication) {}

  OwnProducer(Map<String, Object> config, @Nullable NewTopics newTopics) {
    this.config = config;
    this.newTopics = newTopics;
    int maxBlock = ProducerSettings.maxBlockMs(config);
    this.patienceMs = Math.max(LEAST_PATIENCE_MS, maxBlock);
  }

  @Override
  public synchronized void open() {
    producer = new KafkaProducer<>(config);
    admin = Admin.create(adminConfig());
  }

  private Map<String, Object> adminConfig() {
    Map<String, Object> ofAdmin = new HashMap<>(config);
    ofAdmin.keySet().retainAll(AdminClientConfig.configNames());
    ofAdmin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, patienceMs);
    ofAdmin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patienceMs);
    return ofAdmin;
  }

  @Override
  public void requireTopic(String topic) throws Exception {
    Admin client = Objects.requireNonNull(admin, "admin");
    try {
      describe(client, topic);
    } catch (ExecutionException e) {
      NewTopics asSet = newTopics;
      if (asSet == null || !(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        throw e;
      }
      create(client, topic, asSet);
    }
  }

  private void describe(Admin client, String topic) throws Exception {
    DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs(patienceMs);
    await(client.describeTopics(List.of(topic), options).allTopicNames());
  }

  private void create(Admin client, String topic, NewTopics asSet) throws Exception {
    NewTopic made =
        new NewTopic(topic, Optional.of(asSet.partitions()), Optional.of(asSet.replication()));
    try {
      CreateTopicsOptions options = new CreateTopicsOptions().timeoutMs(patienceMs);
      await(client.createTopics(List.of(made), options).all());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) { // another node was faster
        throw e;
      }
    }
    awaitLeaders(client, topic, asSet.partitions());
  }

  /**
   * A broker names a new partition before it takes records for it. If it refuses the first batch of
   * an idempotent producer for that and takes the second, the first is out of sequence until its
   * time is over. Only leaders know offsets, so this waits until all of them are there.
   */
  private void awaitLeaders(Admin client, String topic, int partitions) throws Exception {
    Map<TopicPartition, OffsetSpec> all = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      all.put(new TopicPartition(topic, partition), OffsetSpec.latest());
    }
    ListOffsetsOptions options = new ListOffsetsOptions().timeoutMs(patienceMs);
    Deadline deadline = Deadline.after(Duration.ofMillis(patienceMs), TimeSource.system());
    Alarm pause = TimeSource.system().newAlarm();
    while (!deadline.isOver()) {
      try {
        await(client.listOffsets(all, options).all());
        return;
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
      pause.await(BETWEEN_LOOKS);
    }
    throw new TimeoutException(
        "topic '" + topic + "' was created, but no broker knew it within " + patienceMs + " ms");
  }

  /** The client ends it in its own time; the wait has a limit all the same. */
  private void await(KafkaFuture<?> future) throws Exception {
    future.get(2L * patienceMs, TimeUnit.MILLISECONDS);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the callback hears the same
  public void send(ProducerRecord<String, byte[]> record, Callback callback) {
    Objects.requireNonNull(producer, "producer").send(record, callback);
  }

  @Override
  public synchronized void renew() {
    Producer<String, byte[]> broken = producer;
    if (isClosed || broken == null) {
      return;
    }
    broken.close(Duration.ZERO);
    producer = new KafkaProducer<>(config);
  }

  @Override
  public synchronized void close(Duration timeout) {
    isClosed = true;
    Producer<String, byte[]> open = producer;
    if (open != null) {
      open.close(timeout);
    }
    Admin opened = admin;
    if (opened != null) {
      opened.close(Duration.ZERO);
    }
  }
}
