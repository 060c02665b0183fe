package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failovers;
import failover.StoredAnswers;
import failover.execution.ContextPropagator;
import failover.spring.boot.Shop.Price;
import failover.store.FailoverStore;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.tenant.TenantContext;
import failover.tenant.TenantResolver;
import failover.tenant.TenantStoreFactory;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Each property of tenants in a whole application, where it changes something. */
class TenantPropertiesTest {
  private static final String PATIENT = "failover.store.read-timeout=60s"; // on a busy machine
  private static final String ON = "failover.store.multitenant.enabled=true";
  private static final String TENANT = "failover.store.multitenant.tenants.";

  private static ApplicationContextRunner jdbc(String... properties) {
    return Contexts.jdbc().withPropertyValues(ON).withPropertyValues(properties);
  }

  private static Price ask(ApplicationContext context, String tenant, String sku) throws Exception {
    try (TenantContext.Scope scope = TenantContext.open(tenant)) {
      assertThat(scope).isNotNull();
      return context.getBean(Shop.class).price(sku);
    }
  }

  private static boolean isGiven(ApplicationContext context, String tenant, String sku)
      throws Exception {
    try {
      return ask(context, tenant, sku) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private static long rows(ApplicationContext context, String table) throws SQLException {
    try (Connection connection = context.getBean(DataSource.class).getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static void awaitRows(ApplicationContext context, String table, long count)
      throws Exception {
    Eventually.await(table, () -> rows(context, table) == count);
  }

  @Test
  void tenantsHaveTablesByPrefixesBeforeThatOfAll() {
    jdbc(
            "failover.store.jdbc.table-prefix=DEMO_",
            TENANT + "acme.table-prefix=ACME_",
            TENANT + "zeta.table-prefix=ZETA_")
        .run(
            context -> {
              assertThat(context).hasSingleBean(NearFarFailoverStore.class);
              ask(context, "acme", "a");
              ask(context, "zeta", "a");
              ask(context, "zeta", "b");
              ask(context, "unknown", "c");
              awaitRows(context, "ACME_DEMO_FAILOVER_STORE", 1);
              awaitRows(context, "ZETA_DEMO_FAILOVER_STORE", 2);
              awaitRows(context, "DEMO_FAILOVER_STORE", 1);
              Contexts.target(context).goDown();
              assertThat(isGiven(context, "acme", "a")).isTrue();
              assertThat(isGiven(context, "acme", "b")).isFalse();
              assertThat(isGiven(context, "unknown", "c")).isTrue();
              assertThat(isGiven(context, "other", "c")).isFalse();
            });
  }

  @Test
  void tenantsHaveTablesInSchemas() {
    jdbc(
            "failover.store.multitenant.strategy=schema",
            "spring.datasource.generate-unique-name=false",
            "spring.datasource.url=jdbc:h2:mem:failover_tenants;INIT=CREATE SCHEMA IF NOT EXISTS"
                + " acme",
            "failover.store.jdbc.table-prefix=DEMO_",
            TENANT + "acme.schema=acme")
        .run(
            context -> {
              ask(context, "acme", "a");
              awaitRows(context, "acme.DEMO_FAILOVER_STORE", 1);
              Contexts.target(context).goDown();
              assertThat(isGiven(context, "acme", "a")).isTrue();
              assertThat(isGiven(context, "other", "a")).isFalse();
            });
  }

  @Test
  void callsWithoutATenantAreForTheDefaultOneWhoseRowsAreThoseOfBefore() {
    String url = "spring.datasource.url=jdbc:h2:mem:failover_before;DB_CLOSE_DELAY=-1";
    Contexts.jdbc()
        .withPropertyValues("spring.datasource.generate-unique-name=false", url, PATIENT)
        .run(context -> context.getBean(Shop.class).price("a"));
    jdbc(
            "spring.datasource.generate-unique-name=false",
            url,
            PATIENT,
            "failover.store.multitenant.default-tenant=main")
        .run(
            context -> {
              Contexts.target(context).goDown();
              assertThat(context.getBean(Shop.class).price("a")).isEqualTo(new Price("a", 100));
              assertThat(isGiven(context, "main", "a")).isTrue();
              assertThat(isGiven(context, "acme", "a")).isFalse();
            });
  }

  @Test
  void withoutAnyTenantCallsPassUnprotected() {
    jdbc()
        .run(
            context -> {
              context.getBean(Shop.class).price("a");
              assertThat(context.getBean(Failovers.class).counts().get("price").unkeyable())
                  .isOne();
            });
  }

  @Test
  void strictRefusesUnknownTenants() {
    jdbc(
            "failover.store.multitenant.strict=true",
            "failover.store.multitenant.tenants.acme.table-prefix=ACME_")
        .run(
            context -> {
              ask(context, "acme", "a");
              ask(context, "other", "a");
              awaitRows(context, "ACME_FAILOVER_STORE", 1);
              Contexts.target(context).goDown();
              assertThat(isGiven(context, "acme", "a")).isTrue();
              assertThat(isGiven(context, "other", "a")).isFalse();
              assertThatThrownBy(() -> rows(context, "FAILOVER_STORE"))
                  .isInstanceOf(SQLException.class);
            });
  }

  @Test
  void storesInMemoryKeepTenantsApartAsWell() {
    for (String type : List.of("inmemory", "caffeine")) {
      Contexts.shop()
          .withPropertyValues(ON, "failover.store.type=" + type)
          .run(
              context -> {
                ask(context, "acme", "a");
                Contexts.target(context).goDown();
                assertThat(isGiven(context, "acme", "a")).isTrue();
                assertThat(isGiven(context, "zeta", "a")).isFalse();
                assertThat(
                        ((FailoverStoreSizeAware) context.getBean(FailoverStore.class))
                            .liveEntryCount("price"))
                    .isOne();
              });
    }
  }

  @Test
  void aResolverAndAFactoryOfTheApplicationAreUsed() {
    Map<String, InMemoryFailoverStore> made = new ConcurrentHashMap<>();
    TenantStoreFactory factory =
        tenant -> made.computeIfAbsent(tenant, id -> new InMemoryFailoverStore());
    ApplicationContextRunner custom =
        Contexts.shop()
            .withBean(TenantStoreFactory.class, () -> factory)
            .withPropertyValues(
                "failover.store.type=custom", "failover.store.async=false", PATIENT);
    custom.run(
        context -> {
          context.getBean(Shop.class).price("a");
          assertThat(made).containsOnlyKeys(TenantStoreFactory.SINGLE);
          made.clear();
        });
    custom
        .withBean(TenantResolver.class, () -> TenantResolver.fixed("one"))
        .withPropertyValues(ON, "failover.store.multitenant.max-stores=1")
        .run(
            context -> {
              context.getBean(Shop.class).price("a");
              assertThat(made).containsOnlyKeys("one");
              assertThat(made.get("one").liveEntryCount("price")).isOne();
            });
  }

  @Test
  void whatCannotBeATableFailsTheStart() {
    for (String wrong : List.of("A\"_", "A _", "A;_", "A-_", "A._", "'", "1A", "é")) {
      jdbc(TENANT + "acme.table-prefix=" + wrong)
          .run(
              context ->
                  assertThat(context)
                      .getFailure()
                      .rootCause()
                      .hasMessageContaining("failover.store.multitenant.tenants.acme"));
    }
    for (String wrong : List.of("a\"b", "a b", "a;b", "a-b", "a.b", "1a")) {
      jdbc("failover.store.multitenant.strategy=schema", TENANT + "acme.schema=" + wrong)
          .run(
              context ->
                  assertThat(context)
                      .getFailure()
                      .rootCause()
                      .hasMessageContaining("failover.store.multitenant.tenants.acme"));
    }
  }

  @Test
  void whatContradictsItselfFailsTheStart() {
    for (Map.Entry<String[], String> wrong :
        List.of(
            Map.entry(
                new String[] {TENANT + "a.table-prefix=X_", TENANT + "b.table-prefix=x_"},
                "tables of its own"),
            Map.entry(new String[] {TENANT + "a.schema=x"}, "set table-prefix"),
            Map.entry(
                new String[] {
                  "failover.store.multitenant.strategy=schema", TENANT + "a.table-prefix=X_"
                },
                "set schema"),
            Map.entry(new String[] {"failover.store.multitenant.max-stores=0"}, "max-stores"),
            Map.entry(new String[] {TENANT + "_single_.table-prefix=X_"}, "multitenant.tenants"),
            Map.entry(
                new String[] {"failover.store.multitenant.default-tenant=_single_"},
                "default-tenant"))) {
      jdbc(wrong.getKey())
          .run(
              context ->
                  assertThat(context)
                      .getFailure()
                      .rootCause()
                      .hasMessageContaining(wrong.getValue()));
    }
  }

  @Test
  void aTenantWhoseTableIsMissingFailsTheStartAndOnlyWarnsWhereTheDatabaseIsDown() {
    jdbc("failover.store.jdbc.initialize-schema=never", TENANT + "acme.table-prefix=ACME_")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("table ACME_FAILOVER_STORE must exist")
                    .hasStackTraceContaining("of tenant 'acme'"));
    try (CapturedLog log = new CapturedLog("failover")) {
      jdbc(
              "spring.datasource.generate-unique-name=false",
              "spring.datasource.url=jdbc:h2:mem:failover_down;IFEXISTS=TRUE",
              TENANT + "acme.table-prefix=ACME_")
          .run(
              context -> {
                assertThat(context).hasNotFailed();
                ask(context, "acme", "a");
              });
      assertThat(log.messages(Level.WARNING))
          .anyMatch(line -> line.contains("cannot reach its database"));
    }
  }

  @Test
  void theGaugeCountsTheAnswersOfAllTenantsTogether() {
    jdbc("failover.store.jdbc.live-entries-gauge-enabled=true", TENANT + "acme.table-prefix=ACME_")
        .run(
            context -> {
              FailoverStoreSizeAware store =
                  (FailoverStoreSizeAware) context.getBean(FailoverStore.class);
              assertThat(store.liveEntryCountSupported()).isTrue();
              ask(context, "acme", "a");
              awaitRows(context, "ACME_FAILOVER_STORE", 1);
              assertThat(store.liveEntryCount("price")).isOne();
            });
  }

  @Test
  void theEndpointIsAboutOneTenant() {
    jdbc(TENANT + "acme.table-prefix=ACME_")
        .run(
            context -> {
              ask(context, "acme", "a");
              ask(context, "zeta", "a");
              FailoverEndpoint endpoint = new FailoverEndpoint(context.getBean(Failovers.class));
              assertThat(endpoint.stored("price", null, "acme").entries()).hasSize(1);
              assertThatThrownBy(() -> endpoint.stored("price", null, null))
                  .isInstanceOf(InvalidEndpointRequestException.class)
                  .hasMessageContaining("tenant");
              assertThatThrownBy(() -> endpoint.act("price", "forget", null, true, null, null))
                  .isInstanceOf(InvalidEndpointRequestException.class);
              assertThat(endpoint.act("price", "forget", null, true, null, "acme").entries())
                  .isOne();
              StoredAnswers stored = context.getBean(Failovers.class).stored();
              assertThat(stored.ofTenant("acme").entries("price", 10)).isEmpty();
              assertThat(stored.ofTenant("zeta").entries("price", 10)).hasSize(1);
              assertThat(endpoint.act("price", "expire", null, true, null, "zeta").entries())
                  .isOne();
            });
    Contexts.shop()
        .run(
            context -> {
              FailoverEndpoint endpoint = new FailoverEndpoint(context.getBean(Failovers.class));
              assertThat(endpoint.stored("price", null, null).entries()).isEmpty();
              assertThatThrownBy(() -> endpoint.stored("price", null, "acme"))
                  .isInstanceOf(InvalidEndpointRequestException.class)
                  .hasMessageContaining("there are no tenants");
            });
  }

  @Test
  void theTenantIsCarriedToOtherThreads() {
    jdbc()
        .run(
            context -> {
              ContextPropagator propagator = context.getBean(Parts.class).contextPropagator();
              String[] seen = new String[1];
              Runnable task;
              try (TenantContext.Scope scope = TenantContext.open("acme")) {
                assertThat(scope).isNotNull();
                task = propagator.wrap(() -> seen[0] = TenantContext.current());
              }
              task.run();
              assertThat(seen[0]).isEqualTo("acme");
              assertThat(TenantContext.current()).isNull();
            });
  }
}
