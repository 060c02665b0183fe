package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Databases.onH2;
import static holdfast.verification.firsthour.mistakes.Messages.thrown;
import static holdfast.verification.firsthour.mistakes.Messages.warned;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BUILD;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL_LOG;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START;

import failover.Failover;
import failover.FailoverSpec;
import failover.Failovers;
import failover.jdbc.FailoverSchema;
import failover.jdbc.JdbcFailoverStore;
import failover.proxy.FailoverProxies;
import failover.store.InMemoryFailoverStore;
import holdfast.verification.firsthour.mistakes.Mistake.Library;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Mistakes with failover in an application without a framework. */
final class FailoverMistakes {

  private FailoverMistakes() {}

  record Price(long cents) {}

  /** An answer that cannot be made again from what is stored of it. */
  static final class Quote {
    private final long cents;

    Quote(long cents, String currency) {
      this.cents = cents + currency.length();
    }

    public long getCents() {
      return cents;
    }
  }

  /** An argument that is equal to itself alone. */
  static final class Customer {}

  interface Prices {
    Price price(String sku);
  }

  static class RemotePrices implements Prices {
    @Override
    public Price price(String sku) {
      return new Price(1);
    }
  }

  interface Rates {
    @Failover(name = "rate", keyGenerator = "bySku")
    Price rate(String sku);
  }

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.FAILOVER);
    settings(list);
    points(list);
    tables(list);
    use(list);
    return list.all();
  }

  private static Failovers failovers() {
    return Failovers.builder(new InMemoryFailoverStore()).build();
  }

  private static FailoverSpec<Price> price() {
    return FailoverSpec.builder("price", Price.class).build();
  }

  private static void settings(MistakeList list) {
    list.add(
            "no store",
            BUILD,
            () -> thrown(() -> Failovers.builder(null).build()),
            "builder needs a FailoverStore",
            "but was given null",
            "pass one such as new InMemoryFailoverStore()")
        .add(
            "zero timed calls and a negative time",
            BUILD,
            () ->
                thrown(
                    () ->
                        Failovers.builder(new InMemoryFailoverStore())
                            .timedCalls(0)
                            .closeTimeout(Duration.ofSeconds(-1))
                            .build()),
            "Failovers: closeTimeout must",
            "but was PT-1S; timedCalls must be 1 or more but was 0",
            "timedCalls must be 1 or more")
        .add(
            "store without capacity",
            BUILD,
            () -> thrown(() -> new InMemoryFailoverStore(0)),
            "maxEntries must be",
            "but was 0",
            "maxEntries must be 1 or more");
  }

  private static void points(MistakeList list) {
    list.add(
            "soft timeout above the hard one",
            BUILD,
            () ->
                thrown(
                    () ->
                        FailoverSpec.builder("price", Price.class)
                            .softTimeout(Duration.ofSeconds(5))
                            .hardTimeout(Duration.ofSeconds(2))
                            .build()),
            "FailoverSpec price: softTimeout must",
            "but was PT5S",
            "be less than hardTimeout (PT2S)")
        .add(
            "answers that never stay good",
            BUILD,
            () -> thrown(() -> FailoverSpec.builder("price", Price.class).expiry(Duration.ZERO)),
            "failover 'price': expiry must",
            "but was",
            "expiry must be 1 or more")
        .add(
            "two points of one name",
            BUILD,
            () ->
                thrown(
                    () -> {
                      Failovers failovers = failovers();
                      failovers.register(price());
                      failovers.register(price());
                    }),
            "the name of a failover point must be its own",
            "but 'price' is taken by another",
            "build the spec once and share it")
        .add(
            "answer that cannot be read again",
            BUILD,
            () ->
                thrown(
                    () -> failovers().register(FailoverSpec.builder("quote", Quote.class).build())),
            "must have a way to be made again",
            "but has none",
            "make it a record")
        .add(
            "proxy of a class",
            BUILD,
            () ->
                thrown(
                    () ->
                        FailoverProxies.protect(
                            failovers(), RemotePrices.class, new RemotePrices())),
            "must be an interface",
            "RemotePrices must be an interface but is not",
            "pass an interface that the object implements")
        .add(
            "interface without an annotation",
            BUILD,
            () ->
                thrown(
                    () -> FailoverProxies.protect(failovers(), Prices.class, new RemotePrices())),
            "must have a method with @Failover",
            "but has none",
            "annotate the methods to be protected")
        .add(
            "key generator that does not exist",
            BUILD,
            () ->
                thrown(
                    () -> FailoverProxies.protect(failovers(), Rates.class, sku -> new Price(1))),
            "keyGenerator of failover 'rate' must be",
            "but was 'bySku'",
            "correct the name, or add one of that name");
  }

  private static void tables(MistakeList list) {
    list.add(
            "missing table",
            START,
            () -> onH2(db -> thrown(() -> FailoverSchema.requireTables(db.dataSource(), ""))),
            "table FAILOVER_STORE must exist",
            "but was not found",
            "create it with FailoverSchema.createIfMissing, or with failover/jdbc/schema/h2.sql")
        .add(
            "missing table found by a call",
            CALL_LOG,
            () ->
                Databases.onPostgres(
                    db ->
                        warned(
                            "failover",
                            () -> {
                              try (Failovers failovers =
                                  Failovers.builder(new JdbcFailoverStore(db.dataSource()))
                                      .build()) {
                                failovers.call(price(), List.of("sku"), () -> new Price(1));
                              }
                            })),
            "failover cannot store answers",
            "does not exist",
            "the schema files are in failover/jdbc/schema")
        .add(
            "missing privilege",
            START,
            () ->
                Databases.onPostgres(
                    db -> {
                      FailoverSchema.createIfMissing(db.dataSource());
                      DataSource limited =
                          db.dataSourceOf(Databases.user(), "SELECT, INSERT ON FAILOVER_STORE");
                      return thrown(() -> FailoverSchema.requireTables(limited, ""));
                    }),
            "lacks the right",
            "to UPDATE",
            "run GRANT UPDATE, DELETE ON FAILOVER_STORE TO")
        .add(
            "reserved word as a schema",
            BUILD,
            () -> onH2(db -> thrown(() -> new JdbcFailoverStore(db.dataSource(), "select.SHOP_"))),
            "schema name must not be a reserved word",
            "but was 'select'",
            "take another such as 'my_select'")
        .add(
            "no DataSource",
            BUILD,
            () -> thrown(() -> new JdbcFailoverStore(null)),
            "JdbcFailoverStore needs a DataSource",
            "but was given null",
            "pass the one whose database has the tables")
        .add(
            "unknown database",
            START,
            () -> onH2(db -> thrown(() -> FailoverSchema.createIfMissing(Databases.unknown(db)))),
            "no dialect for database product",
            "'DB2'",
            "use one of these");
  }

  private static void use(MistakeList list) {
    list.add(
            "argument that makes no key",
            CALL_LOG,
            () ->
                warned(
                    "failover",
                    () -> failovers().call(price(), List.of(new Customer()), () -> new Price(1))),
            "failover calls pass unprotected",
            "Customer must have value equality (equals) but has none",
            "give the point a key function")
        .add(
            "started after close",
            START,
            () -> {
              Failovers failovers = failovers();
              failovers.close();
              return thrown(failovers::start);
            },
            "cannot be started",
            "Failovers is closed",
            "make a new one")
        .add(
            "database down",
            CALL_LOG,
            () ->
                warned(
                    "failover",
                    () -> {
                      try (Failovers failovers =
                          Failovers.builder(new JdbcFailoverStore(Databases.down())).build()) {
                        failovers.call(price(), List.of("sku"), () -> new Price(1));
                      }
                    }),
            "failover cannot store answers",
            "Connection to localhost:1 refused",
            "check the URL, the user and the password");
  }
}
