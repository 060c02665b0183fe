package failover.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverSpec;
import failover.Failovers;
import failover.key.canonical.CanonicalKeys;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import failover.store.WriteSkippingFailoverStore;
import failover.tenant.MultiTenantFailoverStore;
import failover.tenant.TenantContext;
import failover.tenant.Tenants;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** Tenants with tables of their own by prefix and by schema, and one that shares a table. */
@Timeout(120)
class TenantTablesTest {
  private static final List<String> TENANTS = List.of("acme", "zeta", "stranger");
  private static final Duration HOUR = Duration.ofHours(1);

  record Price(String tenant, String sku) {}

  private static final FailoverSpec<Price> PRICE =
      FailoverSpec.builder("price", Price.class).pause(Duration.ZERO, Duration.ZERO).build();

  private final IOException down = new IOException("down");

  private static Failovers node(TenantDatabase tables) {
    FailoverStore far = new AsyncFailoverStore(new WriteSkippingFailoverStore(tables.store()));
    return Failovers.builder(
            new NearFarFailoverStore(
                new InMemoryFailoverStore(), far, Duration.ofMillis(200), TimeSource.system()))
        .tenants(TenantDatabase.TENANTS)
        .readTimeout(Duration.ofSeconds(60)) // on a busy machine
        .build();
  }

  private Price ask(Failovers node, String tenant, boolean isDown) throws IOException {
    try (TenantContext.Scope scope = TenantContext.open(tenant)) {
      assertThat(scope).isNotNull();
      return node.call(
          PRICE,
          List.of("a"),
          () -> {
            if (isDown) {
              throw down;
            }
            return new Price(tenant, "a");
          });
    }
  }

  private boolean isGiven(Failovers node, String tenant) {
    try {
      return ask(node, tenant, true).equals(new Price(tenant, "a"));
    } catch (IOException e) {
      return false;
    }
  }

  @EachDatabase
  void eachTenantHasItsRowsAndWhatOneNodeForgetsIsGoneFromAnother(TestDatabase database)
      throws Exception {
    try (TenantDatabase tables = new TenantDatabase(database);
        Failovers one = node(tables);
        Failovers other = node(tables)) {
      for (String tenant : TENANTS) {
        ask(one, tenant, false);
      }
      Eventually.await("all is written", () -> rows(tables).equals(List.of(1L, 1L, 1L)));
      for (String tenant : TENANTS) {
        assertThat(ask(other, tenant, true)).isEqualTo(new Price(tenant, "a"));
      }
      for (int i = 0; i < TENANTS.size(); i++) {
        String gone = TENANTS.get(i);
        assertThat(one.stored().ofTenant(gone).forgetAll("price")).isOne();
        Eventually.await("the other node drops its copy", () -> !isGiven(other, gone));
        for (String later : TENANTS.subList(i + 1, TENANTS.size())) {
          assertThat(ask(other, later, true)).isEqualTo(new Price(later, "a"));
        }
      }
      assertThat(rows(tables)).containsExactly(0L, 0L, 0L);
    }
  }

  private static List<Long> rows(TenantDatabase tables) throws SQLException {
    return List.of(tables.rows("acme"), tables.rows("zeta"), tables.rows("stranger"));
  }

  private static ReferentialPayload expired(String tenant, Instant now) {
    return new ReferentialPayload(
        CanonicalKeys.ofText(TenantDatabase.name(tenant), "1"),
        now.minus(HOUR.multipliedBy(2)),
        now.minus(HOUR),
        Payload.ofBytes("a.Type", 1, new byte[] {1}));
  }

  @EachDatabase
  void afterARestartTenantsThatNobodyHasUsedAreSweptByOneNode(TestDatabase database)
      throws Exception {
    Instant now = Instant.now();
    try (TenantDatabase tables = new TenantDatabase(database)) {
      FailoverStore earlier = tables.store();
      TENANTS.forEach(tenant -> earlier.store(expired(tenant, now)));
      assertThat(rows(tables)).containsExactly(1L, 1L, 1L);
      try (MultiTenantFailoverStore later = tables.store();
          MultiTenantFailoverStore other = tables.store()) {
        assertThat(later.sweep(now, HOUR)).isEqualTo(3);
        assertThat(rows(tables)).containsExactly(0L, 0L, 0L);
        TENANTS.forEach(tenant -> earlier.store(expired(tenant, now)));
        assertThat(other.sweep(now, HOUR)).as("it is nobody's turn at any table").isZero();
      }
    }
  }

  @EachDatabase
  void aTenantWhoseTableIsMissingFailsTheStart(TestDatabase database) throws Exception {
    try (TenantDatabase tables = new TenantDatabase(database);
        MultiTenantFailoverStore well = tables.store();
        MultiTenantFailoverStore lacking =
            new MultiTenantFailoverStore(
                Tenants.of(TenantContext.resolver()).known(List.of("new")).strict(),
                tenant -> new JdbcFailoverStore(database.dataSource(), "NEW_"))) {
      well.start();
      assertThatThrownBy(lacking::start)
          .isInstanceOf(FailoverStoreException.class)
          .hasMessageContaining("tenant 'new'")
          .hasMessageContaining("NEW_FAILOVER_STORE")
          .hasMessageContaining("FailoverSchema.createIfMissing");
    }
  }
}
