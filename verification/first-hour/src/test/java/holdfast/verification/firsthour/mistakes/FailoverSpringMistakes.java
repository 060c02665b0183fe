package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Messages.failedStart;
import static holdfast.verification.firsthour.mistakes.Messages.warnedAtStart;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BOOT;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START_LOG;

import failover.Failover;
import holdfast.spring.test.TwoDataSources;
import holdfast.verification.firsthour.mistakes.Mistake.Library;
import holdfast.verification.firsthour.mistakes.SpringSetups.Database;
import holdfast.verification.firsthour.mistakes.SpringSetups.WithFailover;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Mistakes with failover in an application with Spring Boot. */
final class FailoverSpringMistakes {
  private static final String JDBC = "failover.store.type=jdbc";

  private FailoverSpringMistakes() {}

  static class Shop {
    @Failover(name = "price")
    public String price(String sku) {
      return "1";
    }
  }

  static class PrivateMethod {
    @Failover(name = "price")
    private String price(String sku) {
      return "1";
    }

    public String all() {
      return price("a");
    }
  }

  static class FinalMethod {
    @Failover(name = "price")
    public final String price(String sku) {
      return "1";
    }

    @Failover(name = "rate")
    public String rate(String sku) {
      return "1";
    }
  }

  static class StaticMethod {
    @Failover(name = "price")
    public static String price(String sku) {
      return "1";
    }

    @Failover(name = "rate")
    public String rate(String sku) {
      return "1";
    }
  }

  static final class FinalClass {
    @Failover(name = "price")
    public String price(String sku) {
      return "1";
    }
  }

  static class SameName {
    @Failover(name = "price")
    public String rate(String sku) {
      return "1";
    }
  }

  static class WrongTimes {
    @Failover(name = "price", softTimeout = "5s", hardTimeout = "2s")
    public String price(String sku) {
      return "1";
    }
  }

  static class WrongExpiry {
    @Failover(name = "price", expiryDurationExpression = "soon")
    public String price(String sku) {
      return "1";
    }
  }

  static class UnknownKeys {
    @Failover(name = "price", keyGenerator = "bySku")
    public String price(String sku) {
      return "1";
    }
  }

  /** An argument that is equal to itself alone. */
  static class Customer {}

  static class UnkeyableArgument {
    @Failover(name = "price")
    public String price(Customer customer) {
      return "1";
    }
  }

  /** An answer that cannot be made again from what is stored of it. */
  static class Quote {
    private final String price;

    Quote(long cents, String currency) {
      this.price = cents + currency;
    }

    public String getPrice() {
      return price;
    }
  }

  static class UnreadableAnswer {
    @Failover(name = "price")
    public Quote price(String sku) {
      return new Quote(1, "EUR");
    }
  }

  @Import({WithFailover.class, UnkeyableArgument.class})
  static class UnkeyableApp {}

  @Import({WithFailover.class, UnreadableAnswer.class})
  static class UnreadableApp {}

  @Import({WithFailover.class, Shop.class})
  static class App {}

  @Import({Database.class, WithFailover.class, Shop.class})
  static class DatabaseApp {}

  @Import({SpringSetups.DatabaseDown.class, WithFailover.class, Shop.class})
  static class DatabaseDown {}

  @Import({TwoDataSources.class, WithFailover.class, Shop.class})
  static class TwoDatabases {}

  @Import({WithFailover.class, PrivateMethod.class})
  static class PrivateApp {}

  @Import({WithFailover.class, FinalMethod.class})
  static class FinalApp {}

  @Import({WithFailover.class, StaticMethod.class})
  static class StaticApp {}

  @Import(WithFailover.class)
  static class FinalClassApp {
    @Bean
    FinalClass shop() {
      return new FinalClass();
    }
  }

  @Import({WithFailover.class, Shop.class, SameName.class})
  static class SameNameApp {}

  @Import({WithFailover.class, WrongTimes.class})
  static class WrongTimesApp {}

  @Import({WithFailover.class, WrongExpiry.class})
  static class WrongExpiryApp {}

  @Import({WithFailover.class, UnknownKeys.class})
  static class UnknownKeysApp {}

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.FAILOVER);
    stores(list);
    settings(list);
    methods(list);
    annotations(list);
    return list.all();
  }

  private static void stores(MistakeList list) {
    list.add(
            "Spring: table without a DataSource",
            BOOT,
            () -> failedStart(App.class, JDBC),
            "failover.store.type is jdbc",
            "but there is not one DataSource",
            "set spring.datasource.url")
        .add(
            "Spring: two DataSources",
            BOOT,
            () -> failedStart(TwoDatabases.class, JDBC),
            "failover.store.type is jdbc",
            "[orders, archive]",
            "mark a DataSource bean as @Primary")
        .add(
            "Spring: missing table",
            BOOT,
            () ->
                failedStart(DatabaseApp.class, JDBC, "failover.store.jdbc.initialize-schema=never"),
            "table FAILOVER_STORE must exist",
            "but was not found",
            "set failover.store.jdbc.initialize-schema=always")
        .add(
            "Spring: database down",
            START_LOG,
            () ->
                warnedAtStart("failover", DatabaseDown.class, JDBC, "failover.close-timeout=100ms"),
            "failover cannot reach its database",
            "Connection to localhost:1 refused",
            "check spring.datasource.url")
        .add(
            "Spring: missing bean, a store of one's own",
            BOOT,
            () -> failedStart(App.class, "failover.store.type=custom"),
            "failover.store.type is custom",
            "but there is no FailoverStore bean",
            "define one, or set failover.store.type to inmemory, caffeine or jdbc");
  }

  private static void settings(MistakeList list) {
    list.add(
            "Spring: mistyped property",
            START_LOG,
            () -> warnedAtStart("holdfast.spring", App.class, "failover.store.typ=jdbc"),
            "no library knows it, so it has no effect",
            "property 'failover.store.typ' is set",
            "the nearest known one is 'failover.store.type'")
        .add(
            "Spring: mistyped setting of a point",
            BOOT,
            () -> failedStart(App.class, "failover.points.price.expriy=6h"),
            "settings of failover points have no effect",
            "failover.points.price.expriy is no setting of a point",
            "the nearest known one is 'expiry'")
        .add(
            "Spring: settings of a point that does not exist",
            BOOT,
            () -> failedStart(App.class, "failover.points.prices.expiry=6h"),
            "settings of failover points have no effect",
            "failover.points.prices is set but no @Failover has that name",
            "the nearest known one is 'price'")
        .add(
            "Spring: store type that does not exist",
            BOOT,
            () -> failedStart(App.class, "failover.store.type=redis"),
            "Failed to bind properties under 'failover.store.type'",
            "Value: \"redis\"",
            "The following values are valid")
        .add(
            "Spring: zero timed calls and a negative time",
            BOOT,
            () -> failedStart(App.class, "failover.timed-calls=0", "failover.close-timeout=-1s"),
            "failover.timed-calls must",
            "but was 0",
            "failover.timed-calls must be 1 or more")
        .add(
            "Spring: reserved word as a schema",
            BOOT,
            () -> failedStart(App.class, "failover.store.jdbc.table-prefix=select.SHOP_"),
            "failover.store.jdbc.table-prefix: schema name must not be a reserved word",
            "but was 'select'",
            "take another such as 'my_select'");
  }

  private static void methods(MistakeList list) {
    list.add(
            "Spring: private method annotated",
            START_LOG,
            () -> warnedAtStart("failover", PrivateApp.class),
            "failover point is not protected",
            "the method is private",
            "make it public")
        .add(
            "Spring: final method annotated",
            START_LOG,
            () -> warnedAtStart("failover", FinalApp.class),
            "failover point is not protected",
            "the method is final",
            "remove the modifier final")
        .add(
            "Spring: static method annotated",
            START_LOG,
            () -> warnedAtStart("failover", StaticApp.class),
            "failover point is not protected",
            "the method is static",
            "remove the modifier static")
        .add(
            "Spring: final class annotated",
            BOOT,
            () -> failedStart(FinalClassApp.class),
            "must not be final",
            "FinalClass",
            "take away final, or give it an interface");
  }

  private static void annotations(MistakeList list) {
    list.add(
            "Spring: two points of one name",
            BOOT,
            () -> failedStart(SameNameApp.class),
            "the name of a failover must be its own",
            "but 'price' is on",
            "rename one")
        .add(
            "Spring: soft timeout above the hard one",
            BOOT,
            () -> failedStart(WrongTimesApp.class),
            "softTimeout must",
            "but was PT5S",
            "be less than hardTimeout (PT2S)")
        .add(
            "Spring: expiry that is not a number",
            BOOT,
            () -> failedStart(WrongExpiryApp.class),
            "expiryDurationExpression of failover 'price' must",
            "'soon'",
            "give a whole number")
        .add(
            "Spring: key generator that does not exist",
            BOOT,
            () -> failedStart(UnknownKeysApp.class),
            "keyGenerator of failover 'price' must be",
            "but was 'bySku'",
            "correct the annotations, or define the beans that they name")
        .add(
            "Spring: argument that makes no key",
            BOOT,
            () -> failedStart(UnkeyableApp.class),
            "failover 'price' on",
            "Customer must have value equality",
            "give it a keyGenerator")
        .add(
            "Spring: answer that cannot be read again",
            BOOT,
            () -> failedStart(UnreadableApp.class),
            "must have a way to be made again",
            "FailoverSpringMistakes$Quote must have a way to be made again but has none",
            "make it a record");
  }
}
