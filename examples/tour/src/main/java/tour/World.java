package tour;

import demo.outboxtobus.Forwarder;
import eventbus.EventBus;
import eventlog.AsyncEventLogger;
import eventlog.HttpEventLogClient;
import eventlog.testkit.EventLogServer;
import eventlog.testkit.Fault;
import failover.FailoverResult;
import failover.Failovers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.OutboxSchema;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;

/**
 * Everything that runs in the tour: services, libraries, a worker. Safe for use by many threads.
 */
final class World implements AutoCloseable {
  private static final Map<String, Integer> CENTS =
      Map.of("anchor", 18900, "buoy", 4550, "cleat", 1290, "dinghy", 219900, "ensign", 2490);

  private static final int SLOWNESS_MILLIS = 20;

  final Database database;
  final Orders orders;
  final Mails mails = new Mails();
  final EventLogServer api = EventLogServer.start();
  final Service priceService =
      new Service(
          "/price",
          exchange ->
              Service.answer(
                  exchange, 200, String.valueOf(CENTS.get(exchange.getRequestURI().getQuery()))));
  final Path directory;
  final Tracer tracer;
  final AsyncEventLogger logger;
  final Failovers failovers;
  final EventBus bus;
  final JdbcOutbox outbox;
  final Service shop;
  private final Steps steps;
  private final Duration abandonment;
  private final AtomicLong oldestStaleMillis = new AtomicLong();
  private WorkerProcess worker;

  World(Options options, Path directory) throws SQLException, IOException {
    this.directory = directory;
    this.abandonment = Duration.ofMillis(options.fast() ? 1_000 : 3_000);
    this.database = options.postgres() ? Database.postgres() : Database.h2();
    this.orders = new Orders(database.dataSource());
    orders.createTable();
    OutboxSchema.createInboxIfMissing(database.dataSource());
    this.tracer = Tracer.builder(PerfettoFiles.in(directory.resolve("trace"))).build();
    this.logger =
        AsyncEventLogger.builder()
            .client(HttpEventLogClient.builder(api.uri()).build())
            .spilloverPath(directory.resolve("spillover"))
            .maxRetries(1)
            .baseRetryDelay(Duration.ofMillis(100))
            .circuitBreakerReset(Duration.ofSeconds(1))
            .replayIntervalMs(500)
            .build();
    this.steps = new Steps(logger, tracer);
    this.failovers = PriceClient.failovers(database.dataSource());
    // Publishes only, and wakes nobody: the workers here and in the other process compete alike.
    EventBus entrance = EventBus.builder(database.dataSource()).createTables().build();
    this.bus =
        Worker.bus(database.dataSource(), abandonment)
            .name("shop")
            .workers(2)
            .handler(
                OrderPlaced.class,
                new Pricing(
                    PriceClient.protectedBy(failovers, priceService.uri()),
                    orders,
                    SLOWNESS_MILLIS,
                    this::priced,
                    tracer.index()))
            .build();
    this.outbox =
        JdbcOutbox.builder(database.dataSource())
            .createTables()
            .pollInterval(Duration.ofMillis(200))
            .listener(
                OrderPlaced.class,
                new Announcing(new Forwarder(database.dataSource(), entrance), mails, steps))
            .build();
    this.shop = new Service("/orders", new Shop(outbox, orders, steps, options.sabotage())::take);
    tracer.start();
    failovers.start();
    bus.start();
    outbox.start();
    this.worker = newWorker();
  }

  private WorkerProcess newWorker() throws IOException {
    return new WorkerProcess(
        database.url(),
        database.user(),
        priceService.uri().toString(),
        Long.toString(abandonment.toMillis()));
  }

  private void priced(FailoverResult<Price> result, long order) {
    if (!result.upToDate()) {
      long age = Duration.between(result.asOf(), Instant.now()).toMillis();
      oldestStaleMillis.accumulateAndGet(age, Math::max);
    }
    long cents = result.value() == null ? 0 : result.value().cents();
    steps.addUp(order, cents);
    steps.done("price", order, result.upToDate() ? "live" : "as of " + result.asOf());
  }

  /** The age of the oldest stored price that was given here. */
  Duration oldestStale() {
    return Duration.ofMillis(oldestStaleMillis.get());
  }

  /** How many orders the worker of the other process has in its hands, be it dead. */
  long inHandOfWorker() throws SQLException {
    return orders.claimedBy(Worker.name(worker.pid()));
  }

  long workerPid() {
    return worker.pid();
  }

  void killWorker() {
    worker.kill();
  }

  void replaceWorker() throws IOException {
    worker = newWorker();
  }

  void breakApi(boolean broken) {
    api.faults().set(broken ? Fault.DOWN : Fault.NONE);
  }

  /** Lets everything that is under way come to its end, and closes what has ledger in memory. */
  void stop() throws IOException, InterruptedException {
    shop.close();
    worker.end();
    outbox.close();
    bus.close();
    failovers.close();
    logger.close();
    tracer.close();
  }

  @Override
  public void close() throws IOException {
    worker.kill();
    mails.close();
    priceService.close();
    api.close();
    database.close();
  }
}
