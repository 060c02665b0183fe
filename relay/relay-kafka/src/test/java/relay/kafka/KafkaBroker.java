package relay.kafka;

import holdfast.testkit.net.FreePorts;
import holdfast.testkit.net.TcpProxy;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * The Kafka broker of this module's tests, in a JVM of its own, so that it can be killed and
 * started again. It is reached directly, or through a proxy that its second listener advertises.
 */
final class KafkaBroker {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final KafkaBroker SHARED = new KafkaBroker();

  private final Path directory;
  private final int port;
  private final int proxiedPort;
  private final TcpProxy proxy;
  private ChildJvm process;

  private KafkaBroker() {
    try {
      directory = Files.createTempDirectory("relay-kafka-broker");
      int[] ports = FreePorts.find(3);
      port = ports[0];
      proxiedPort = ports[1];
      proxy = TcpProxy.to("127.0.0.1", proxiedPort);
      Files.writeString(directory.resolve("server.properties"), properties(ports[2]));
    } catch (IOException e) {
      throw new UncheckedIOException("the broker needs a directory and three ports", e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::remove));
  }

  /** The broker of all tests, running. */
  static synchronized KafkaBroker running() throws InterruptedException {
    SHARED.start();
    SHARED.proxy.mend();
    return SHARED;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Its address through the proxy, where all connections stay behind the proxy. */
  String proxiedAddress() {
    return "127.0.0.1:" + proxy.port();
  }

  TcpProxy proxy() {
    return proxy;
  }

  /** Starts it if it does not run, and waits until it answers. */
  void start() throws InterruptedException {
    if (process != null && process.isAlive()) {
      return;
    }
    process =
        ChildJvm.of(BrokerMain.class, directory.resolve("server.properties").toString())
            .jvmOptions("-Xmx384m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
            .start();
    Eventually.await("the broker answers", PATIENCE, this::answers);
  }

  private boolean answers() throws InterruptedException {
    if (!process.isAlive()) {
      throw new AssertionError("the broker ended: " + process.lines() + process.errors());
    }
    try (Admin admin = admin()) {
      return !admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).isEmpty();
    } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
      return false;
    }
  }

  /** Kills it as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.kill();
  }

  Admin admin() {
    return Admin.create(
        Map.of(
            "bootstrap.servers",
            address(),
            "request.timeout.ms",
            2_000,
            "default.api.timeout.ms",
            10_000));
  }

  void createTopic(String topic, int partitions, Map<String, String> config) throws Exception {
    try (Admin admin = admin()) {
      NewTopic made = new NewTopic(topic, partitions, (short) 1).configs(config);
      admin.createTopics(List.of(made)).all().get(30, TimeUnit.SECONDS);
      Map<TopicPartition, OffsetSpec> all = new HashMap<>();
      for (int partition = 0; partition < partitions; partition++) {
        all.put(new TopicPartition(topic, partition), OffsetSpec.latest());
      }
      Eventually.await("leaders, who alone know offsets", () -> haveOffsets(admin, all));
    }
  }

  private static boolean haveOffsets(Admin admin, Map<TopicPartition, OffsetSpec> all)
      throws Exception {
    try {
      return admin.listOffsets(all).all().get(30, TimeUnit.SECONDS).size() == all.size();
    } catch (ExecutionException e) {
      return false;
    }
  }

  void createTopic(String topic, int partitions) throws Exception {
    createTopic(topic, partitions, Map.of());
  }

  /** Every record of a topic, in the order of each partition. */
  List<ConsumerRecord<String, byte[]>> records(String topic) {
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    Map<String, Object> config =
        Map.of("bootstrap.servers", address(), "auto.offset.reset", "earliest");
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (!ends.entrySet().stream()
          .allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  private String properties(int controllerPort) {
    return """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%3$d
        controller.listener.names=CONTROLLER
        listeners=DIRECT://127.0.0.1:%1$d,PROXIED://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%3$d
        advertised.listeners=DIRECT://127.0.0.1:%1$d,PROXIED://127.0.0.1:%4$d
        listener.security.protocol.map=DIRECT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT
        inter.broker.listener.name=DIRECT
        log.dirs=%5$s
        auto.create.topics.enable=false
        offsets.topic.num.partitions=1
        offsets.topic.replication.factor=1
        num.network.threads=2
        num.io.threads=2
        log.cleaner.enable=false
        broker.session.timeout.ms=2000
        broker.heartbeat.interval.ms=500
        """
        .formatted(port, proxiedPort, controllerPort, proxy.port(), directory.resolve("data"));
  }

  private void remove() {
    if (process != null) {
      process.close();
    }
    try (var files = Files.walk(directory)) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException e) {
      System.err.println("the broker's directory " + directory + " stays: " + e);
    }
  }
}
