package failover.jdbc;

import failover.FailoverSpec;
import failover.Failovers;
import failover.TypeRef;
import failover.codec.JacksonPayloadCodec;
import holdfast.testkit.db.ConnectionPool;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Stores an answer of each kind and ends; another process asks for them again. */
final class StoringProcess {
  record Price(String sku, int cents) {}

  record Page<T>(List<T> items, int total) {}

  sealed interface Shipping permits Parcel, Pickup {}

  record Parcel(String carrier, int days) implements Shipping {}

  record Pickup(String shop) implements Shipping {}

  /** Anybody may implement it, so its types are registered. */
  interface Discount {}

  record Percent(int percent) implements Discount {}

  record Coupon(String code) implements Discount {}

  private static final Price PRICE = new Price("sku-1", 100);

  /** A point and the answer of its source. */
  record Kind<T>(FailoverSpec<T> spec, T answer) {
    static <T> Kind<T> of(String name, TypeRef<T> type, T answer) {
      return new Kind<>(FailoverSpec.builder(name, type).build(), answer);
    }

    void store(Failovers failovers) {
      failovers.call(spec, List.of("key"), () -> answer);
    }

    T recover(Failovers failovers) throws IOException {
      return failovers.call(
          spec,
          List.of("key"),
          () -> {
            throw new IOException("down");
          });
    }
  }

  static List<Kind<?>> kinds() {
    return List.of(
        Kind.of("record", new TypeRef<Price>() {}, PRICE),
        Kind.of("list", new TypeRef<List<Price>>() {}, List.of(PRICE, new Price("sku-2", 2))),
        Kind.of("optional", new TypeRef<Optional<Price>>() {}, Optional.of(PRICE)),
        Kind.of("nothing", new TypeRef<Optional<Price>>() {}, Optional.empty()),
        Kind.of("map", new TypeRef<Map<String, Price>>() {}, Map.of("a", PRICE)),
        Kind.of("sealed", new TypeRef<Shipping>() {}, new Parcel("post", 2)),
        Kind.of(
            "sealed-list",
            new TypeRef<List<Shipping>>() {},
            List.of(new Pickup("corner"), new Parcel("post", 2))),
        Kind.of("registered", new TypeRef<Discount>() {}, new Coupon("SPRING")),
        Kind.of(
            "registered-list",
            new TypeRef<List<Discount>>() {},
            List.of(new Percent(10), new Coupon("SPRING"))),
        Kind.of("wrapper", new TypeRef<Page<Price>>() {}, new Page<>(List.of(PRICE), 7)),
        Kind.of(
            "nested",
            new TypeRef<Map<String, Page<Shipping>>>() {},
            new LinkedHashMap<>(Map.of("a", new Page<>(List.of(new Parcel("post", 2)), 1)))));
  }

  static Failovers failovers(DataSource dataSource) {
    return Failovers.builder(new JdbcFailoverStore(dataSource))
        .codec(
            JacksonPayloadCodec.create().withSubtypes(Discount.class, Percent.class, Coupon.class))
        .build();
  }

  private StoringProcess() {}

  /** Url, user and password of the database. */
  public static void main(String[] args) throws SQLException {
    try (ConnectionPool pool = connections(args[0], args[1], args[2])) {
      FailoverSchema.createIfMissing(pool);
      storeAll(pool);
    }
    System.out.println("stored " + kinds().size());
  }

  static ConnectionPool connections(String url, String user, String password) {
    return ConnectionPool.over(() -> DriverManager.getConnection(url, user, password));
  }

  private static void storeAll(DataSource dataSource) {
    try (Failovers failovers = failovers(dataSource)) {
      kinds().forEach(kind -> kind.store(failovers));
    }
  }
}
