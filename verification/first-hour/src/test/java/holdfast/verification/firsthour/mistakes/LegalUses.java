package holdfast.verification.firsthour.mistakes;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.EventBus;
import eventlog.AsyncEventLogger;
import eventlog.spi.Answer;
import failover.Failover;
import failover.FailoverSpec;
import failover.Failovers;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.log.CapturedLog;
import holdfast.verification.firsthour.mistakes.SpringSetups.WithFailover;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.springframework.context.annotation.Import;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.perfetto.PerfettoFiles;

/** What is allowed though it looks like a mistake, and what no library can notice. */
final class LegalUses {

  private LegalUses() {}

  /** A bean that calls its own method, past the proxy. */
  static class Shop {
    @Failover(name = "price")
    public String price(String sku) {
      return "1";
    }

    public String total() {
      return price("a") + price("b");
    }
  }

  @Import({WithFailover.class, Shop.class})
  static class ShopApp {}

  static List<LegalUse> all() {
    return List.of(
        new LegalUse(
            "Any library: started twice or closed twice",
            "The second call does nothing. A concurrent second `close()` waits for the first.",
            LegalUses::twice),
        new LegalUse(
            "Outbox: published after close",
            "The event is stored with its transaction. Another node delivers it, or this one after"
                + " its next start.",
            LegalUses::publishedToAClosedOutbox),
        new LegalUse(
            "Event bus: published without a transaction",
            "The bus publishes in a transaction of its own.",
            () -> publishedToTheBus(false)),
        new LegalUse(
            "Event bus: published after close",
            "The event is stored. Another node handles it.",
            () -> publishedToTheBus(true)),
        new LegalUse(
            "Event log: spill directory of another process",
            "The second process writes to a directory of its own inside it and says so in the log.",
            LegalUses::sharedDirectory),
        new LegalUse(
            "Tracer: recorded after close",
            "The event is dropped and counted in the ledger, with the reason `RING_FULL`.",
            LegalUses::recordedAfterClose),
        new LegalUse(
            "Failover: called after close",
            "The call goes to the source and is counted.",
            LegalUses::calledAfterClose),
        new LegalUse(
            "Failover and `@LogEvent`: self-invocation",
            "A bean that calls its own annotated method does not pass the proxy: the call is"
                + " neither protected nor logged, and no library can notice it. Call the method"
                + " through its bean, or move it to another bean.",
            LegalUses::selfInvocation));
  }

  private static void twice() throws Exception {
    Databases.onH2(
        db -> {
          JdbcOutbox outbox = JdbcOutbox.builder(db.dataSource()).createTables().build();
          EventBus bus = EventBus.builder(db.dataSource()).createTables().build();
          Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();
          twice(outbox::start, outbox::close);
          twice(bus::start, bus::close);
          twice(failovers::start, failovers::close);
          return "";
        });
    Directories.temporary(
        place -> {
          Tracer tracer = Tracer.builder(PerfettoFiles.in(place)).build();
          twice(tracer::start, tracer::close);
          AsyncEventLogger logger = logger(place);
          twice(() -> {}, logger::close);
          return "";
        });
  }

  private static void twice(Runnable start, Runnable close) {
    start.run();
    start.run();
    close.run();
    close.run();
  }

  private static AsyncEventLogger logger(Path directory) {
    return AsyncEventLogger.builder()
        .client(events -> Answer.delivered())
        .spilloverPath(directory)
        .build();
  }

  private static void publishedToAClosedOutbox() throws Exception {
    Databases.onH2(
        db -> {
          JdbcOutbox outbox = JdbcOutbox.builder(db.dataSource()).createTables().build();
          outbox.start();
          outbox.close();
          try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
            outbox.publish(EventEnvelope.ofJson("OrderPlaced", "{}"));
            tx.commit();
          }
          assertThat(outbox.ledger().held()).isEqualTo(1);
          return "";
        });
  }

  private static void publishedToTheBus(boolean closed) throws Exception {
    Databases.onH2(
        db -> {
          EventBus bus = EventBus.builder(db.dataSource()).createTables().build();
          if (closed) {
            bus.close();
          }
          bus.publish(Event.of("OrderPlaced", "{}"));
          assertThat(bus.ledger().held()).isEqualTo(1);
          return "";
        });
  }

  private static void sharedDirectory() throws Exception {
    Directories.temporary(
        place -> {
          try (CapturedLog log = new CapturedLog("eventlog");
              AsyncEventLogger first = logger(place);
              AsyncEventLogger second = logger(place)) {
            assertThat(log.messages(Level.INFO))
                .contains(
                    "eventlog directory is used by another process or logger, so this one writes to"
                        + " directory="
                        + place.resolve("process-2"));
            assertThat(Files.isDirectory(place.resolve("process-2"))).isTrue();
          }
          return "";
        });
  }

  private static void recordedAfterClose() throws Exception {
    Directories.temporary(
        place -> {
          Tracer tracer = Tracer.builder(PerfettoFiles.in(place)).build();
          tracer.start();
          tracer.close();
          tracer.index().record(TraceEvent.named("order"), 1, 2);
          assertThat(tracer.ledger().lost()).isEqualTo(1);
          assertThat(tracer.ledger().lostByReason()).containsEntry("RING_FULL", 1L);
          return "";
        });
  }

  private static void calledAfterClose() {
    Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();
    failovers.close(Duration.ofSeconds(1));
    FailoverSpec<String> price = FailoverSpec.builder("price", String.class).build();
    assertThat(failovers.call(price, List.of("a"), () -> "1")).isEqualTo("1");
    assertThat(failovers.ledger().delivered()).isEqualTo(1);
  }

  private static void selfInvocation() throws Exception {
    Messages.running(
        ShopApp.class,
        context -> {
          assertThat(context.getBean(Shop.class).total()).isEqualTo("11");
          assertThat(context.getBean(Failovers.class).ledger().accepted()).isZero();
          return "";
        });
  }
}
