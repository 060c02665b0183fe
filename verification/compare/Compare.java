import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Measures two versions in turns and prints the ratio of the second to the first. */
public final class Compare {
  private static final int WARM_UP = 2;
  private static final int COLD = 20_000;
  private static final String UNDELIVERED =
      "SELECT EXISTS (SELECT 1 FROM outbox_event WHERE status IN (0, 2))";
  private static final String OPEN = "SELECT EXISTS (SELECT 1 FROM events)";

  private final EmbeddedPostgres server;
  private final Costs costs;
  private int databases;

  private Compare(EmbeddedPostgres server) {
    this.server = server;
    this.costs = new Costs(server.getPostgresDatabase());
  }

  /** One measurement of one version; it returns how many events there were, and the figure. */
  private interface Measurement {
    Figure of(Version version, DataSource pool) throws Exception;
  }

  private record Figure(double value, long events) {}

  /**
   * Compares.
   *
   * @param args the class paths of both versions, then options
   */
  public static void main(String[] args) throws Exception {
    int rounds = 20;
    List<String> only = List.of();
    for (int i = 2; i < args.length; i += 2) {
      switch (args[i]) {
        case "--rounds" -> rounds = Integer.parseInt(args[i + 1]);
        case "--only" -> only = List.of(args[i + 1].split(","));
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    Version[] versions = {load(args[0]), load(args[1])};
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("max_connections", "100")
            .start()) {
      new Compare(server).run(versions, rounds, only);
    }
    System.exit(0);
  }

  private static Version load(String classPath) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(":")) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    ClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), Compare.class.getClassLoader());
    return (Version) loader.loadClass("LoadedVersion").getDeclaredConstructor().newInstance();
  }

  private void run(Version[] versions, int rounds, List<String> only) throws Exception {
    Map<String, Measurement> measurements = new LinkedHashMap<>();
    measurements.put("outbox-throughput", this::throughput);
    measurements.put("outbox-drain", (v, pool) -> drain(v.outbox(pool, p -> {}), pool, UNDELIVERED));
    measurements.put("outbox-claim", (v, pool) -> claim(v.outbox(pool, p -> {}), pool));
    measurements.put("outbox-latency", this::latency);
    measurements.put("outbox-publish", (v, pool) -> publish(v.outbox(pool, p -> {}), pool));
    measurements.put("bus-drain", (v, pool) -> drain(v.bus(pool, p -> {}), pool, OPEN));
    measurements.put("bus-claim", (v, pool) -> claim(v.bus(pool, p -> {}), pool));
    measurements.put("bus-publish", (v, pool) -> publish(v.bus(pool, p -> {}), pool));
    System.out.println(
        "| | first | second | second / first | 95 % | CPU client µs | CPU server µs | WAL bytes |"
            + " statements |");
    System.out.println("|---|---:|---:|---:|---|---|---|---|---|");
    for (Map.Entry<String, Measurement> next : measurements.entrySet()) {
      if (only.isEmpty() || only.contains(next.getKey())) {
        compare(next.getKey(), next.getValue(), versions, rounds);
      }
    }
  }

  private void compare(String name, Measurement measurement, Version[] versions, int rounds)
      throws Exception {
    List<Costs.Result[]> results = new ArrayList<>();
    for (int round = 0; round < WARM_UP + rounds; round++) {
      Costs.Result[] pair = new Costs.Result[2];
      for (int turn = 0; turn < 2; turn++) {
        int which = (turn + round) % 2;
        pair[which] = measure(measurement, versions[which]);
      }
      System.err.printf("%s %d: %.1f %.1f%n", name, round, pair[0].value(), pair[1].value());
      if (round >= WARM_UP) {
        results.add(pair);
      }
    }
    System.out.println(new Ratio(results).row(name));
  }

  private Costs.Result measure(Measurement measurement, Version version) throws Exception {
    String database = "measured" + databases++;
    execute("CREATE DATABASE " + database);
    HikariConfig config = new HikariConfig();
    config.setDataSource(server.getDatabase("postgres", database));
    config.setMaximumPoolSize(16);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      try (Connection conn = pool.getConnection();
          Statement statement = conn.createStatement()) {
        statement.execute("CREATE TABLE business (id BIGSERIAL PRIMARY KEY, name VARCHAR(100))");
        statement.execute("CHECKPOINT");
      }
      costs.begin();
      Figure figure = measurement.of(version, counting(pool));
      return costs.end(figure.value(), figure.events());
    } finally {
      execute("DROP DATABASE " + database + " WITH (FORCE)");
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection conn = server.getPostgresDatabase().getConnection();
        Statement statement = conn.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The same data source, whose statements are counted. */
  private DataSource counting(DataSource pool) {
    return proxy(DataSource.class, pool);
  }

  private <T> T proxy(Class<T> type, Object target) {
    return type.cast(
        Proxy.newProxyInstance(
            Compare.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (target instanceof Statement && method.getName().startsWith("execute")) {
                costs.countStatement();
              }
              try {
                Object result = method.invoke(target, arguments);
                if (method.getName().equals("unwrap")) {
                  return result;
                }
                if (result instanceof Connection connection) {
                  return proxy(Connection.class, connection);
                }
                return result instanceof PreparedStatement statement
                    ? proxy(PreparedStatement.class, statement)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private Figure throughput(Version version, DataSource pool) throws Exception {
    int threads = 4;
    try (Version.Node node = version.outbox(pool, payload -> {})) {
      node.start();
      publishFor(node, threads, 1_000);
      awaitNone(pool, UNDELIVERED);
      costs.begin();
      long startedAt = System.nanoTime();
      long events = publishFor(node, threads, 3_000);
      awaitNone(pool, UNDELIVERED);
      return new Figure(events * 1e9 / (System.nanoTime() - startedAt), events);
    }
  }

  private static long publishFor(Version.Node node, int threads, long millis) throws Exception {
    ExecutorService publishers = Executors.newFixedThreadPool(threads);
    try {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      List<Future<Long>> published = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        published.add(
            publishers.submit(
                () -> {
                  long events = 0;
                  for (; System.nanoTime() - end < 0; events++) {
                    node.publish("{\"number\":" + events + "}", Compare::business);
                  }
                  return events;
                }));
      }
      long events = 0;
      for (Future<Long> one : published) {
        events += one.get();
      }
      return events;
    } finally {
      publishers.shutdown();
    }
  }

  private static void business(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO business (name) VALUES (?)")) {
      insert.setString(1, "an order");
      insert.executeUpdate();
    }
  }

  private Figure drain(Version.Node node, DataSource pool, String unfinished) throws Exception {
    try (node) {
      for (int i = 0; i < COLD; i += 1_000) {
        node.publishAll(1_000);
      }
      analyze(pool);
      costs.begin();
      long startedAt = System.nanoTime();
      node.start();
      awaitNone(pool, unfinished);
      return new Figure(COLD * 1e9 / (System.nanoTime() - startedAt), COLD);
    }
  }

  private static void analyze(DataSource pool) throws SQLException {
    try (Connection conn = pool.getConnection();
        Statement statement = conn.createStatement()) {
      statement.execute("VACUUM ANALYZE");
      statement.execute("CHECKPOINT");
    }
  }

  private static void awaitNone(DataSource pool, String question) throws Exception {
    try (Connection conn = pool.getConnection();
        Statement statement = conn.createStatement()) {
      while (true) {
        try (ResultSet answer = statement.executeQuery(question)) {
          answer.next();
          if (!answer.getBoolean(1)) {
            return;
          }
        }
        TimeUnit.MILLISECONDS.sleep(2);
      }
    }
  }

  private Figure latency(Version version, DataSource pool) throws Exception {
    int events = 400;
    int warmUp = 100;
    long[] committedAt = new long[events + warmUp];
    long[] heardAt = new long[events + warmUp];
    CountDownLatch heard = new CountDownLatch(events + warmUp);
    try (Version.Node node =
        version.outbox(
            pool,
            payload -> {
              int number = Integer.parseInt(payload.replaceAll("\\D", ""));
              heardAt[number] = System.nanoTime();
              heard.countDown();
            })) {
      node.start();
      long next = System.nanoTime();
      for (int i = 0; i < events + warmUp; i++) {
        if (i == warmUp) {
          costs.begin();
        }
        node.publish("{\"number\":" + i + "}", Compare::business);
        committedAt[i] = System.nanoTime();
        next += TimeUnit.MILLISECONDS.toNanos(5);
        LockSupport.parkNanos(next - System.nanoTime());
      }
      heard.await(30, TimeUnit.SECONDS);
      long[] micros = new long[events];
      for (int i = 0; i < events; i++) {
        micros[i] = (heardAt[i + warmUp] - committedAt[i + warmUp]) / 1_000;
      }
      Arrays.sort(micros);
      return new Figure(Math.max(1, micros[events / 2]), events);
    }
  }

  private Figure publish(Version.Node node, DataSource pool) throws Exception {
    int events = 1_000;
    try (node) {
      for (int i = 0; i < events / 2; i++) {
        node.publish("{\"number\":" + i + "}", Compare::business);
      }
      costs.begin();
      long startedAt = System.nanoTime();
      for (int i = 0; i < events; i++) {
        node.publish("{\"number\":" + i + "}", Compare::business);
      }
      return new Figure((System.nanoTime() - startedAt) / 1e3 / events, events);
    }
  }

  private Figure claim(Version.Node node, DataSource pool) throws Exception {
    int claims = 500;
    try (node) {
      for (int i = 0; i < COLD; i += 1_000) {
        node.publishAll(1_000);
      }
      analyze(pool);
      for (int i = 0; i < 100; i++) {
        node.poll();
      }
      costs.begin();
      long startedAt = System.nanoTime();
      for (int i = 0; i < claims; i++) {
        if (!node.poll()) {
          throw new IllegalStateException("an event must be pending but none was found");
        }
      }
      return new Figure((System.nanoTime() - startedAt) / 1e3 / claims, claims);
    }
  }
}
