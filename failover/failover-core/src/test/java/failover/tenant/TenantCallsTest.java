package failover.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverSpec;
import failover.Failovers;
import failover.StoredAnswers;
import failover.slices.Catalog;
import failover.slices.Catalog.Item;
import failover.slices.Catalog.Items;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.WriteSkippingFailoverStore;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of tenants, with all that stands before their stores. */
@Timeout(60)
class TenantCallsTest {
  /** An answer that says for whom it is. */
  record Price(String tenant, String sku) {}

  private final SettableTime time = new SettableTime();
  private final TenantTables tables = new TenantTables();
  private final FailoverSpec<Price> price =
      FailoverSpec.builder("price", Price.class).pause(Duration.ZERO, Duration.ZERO).build();
  private final InMemoryFailoverStore near = new InMemoryFailoverStore(100);
  private final IOException down = new IOException("down");
  private volatile boolean isDown;
  private AsyncFailoverStore queue;
  private Failovers failovers = failovers(Tenants.of(TenantContext.resolver()));

  private Failovers failovers(Tenants tenants) {
    MultiTenantFailoverStore routed = new MultiTenantFailoverStore(tenants, tables);
    queue = new AsyncFailoverStore(new WriteSkippingFailoverStore(routed));
    return Failovers.builder(new NearFarFailoverStore(near, queue))
        .tenants(tenants)
        .readTimeout(Duration.ofSeconds(60)) // on a busy machine
        .time(time)
        .build();
  }

  @AfterEach
  void close() {
    failovers.close(Duration.ofSeconds(10));
  }

  private Price ask(String tenant, String sku) throws IOException {
    try (TenantContext.Scope scope = TenantContext.open(tenant)) {
      assertThat(scope).isNotNull();
      return failovers.call(
          price,
          List.of(sku),
          () -> {
            if (isDown) {
              throw down;
            }
            return new Price(tenant, sku);
          });
    }
  }

  @Test
  void eachTenantGetsItsOwnAnswersWhateverIsInBetween() throws Exception {
    AtomicInteger next = new AtomicInteger();
    Together.runAll(
        16,
        () -> {
          for (int i = next.getAndIncrement(); i < 4_000; i = next.getAndIncrement()) {
            ask("t" + i % 200, "a" + i % 3);
          }
        });
    isDown = true;
    next.set(0);
    Together.runAll(
        16,
        () -> {
          for (int i = next.getAndIncrement(); i < 600; i = next.getAndIncrement()) {
            String tenant = "t" + i % 200;
            assertThat(ask(tenant, "a" + i % 3)).isEqualTo(new Price(tenant, "a" + i % 3));
          }
        });
    assertThatThrownBy(() -> ask("nobody", "a1")).isSameAs(down);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }

  @Test
  void aCallWithoutATenantPassesUnprotectedAndIsCounted() throws IOException {
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int i = 0; i < 2; i++) {
        assertThat(failovers.<Price, IOException>call(price, List.of("a"), () -> null)).isNull();
      }
      assertThatThrownBy(
              () ->
                  failovers.call(
                      price,
                      List.of("a"),
                      () -> {
                        throw down;
                      }))
          .isSameAs(down);
      assertThat(log.messages(Level.WARNING))
          .filteredOn(line -> line.contains("pass unprotected"))
          .singleElement()
          .asString()
          .contains("name=price")
          .contains("TenantContext.open");
    }
    assertThat(failovers.counts().get("price").unkeyable()).isEqualTo(3);
    assertThat(tables.tables).isEmpty();
    assertThatThrownBy(() -> failovers.forget(price, List.of("a")))
        .isInstanceOf(FailoverStoreException.class);
    assertThatThrownBy(() -> failovers.stored().entries("price", 10))
        .isInstanceOf(FailoverStoreException.class);
  }

  @Test
  void aRefusedTenantGetsNothingOfTheDefaultOne() throws IOException {
    failovers.close();
    failovers =
        failovers(
            Tenants.of(TenantContext.resolver())
                .withDefault("main")
                .known(List.of("acme"))
                .strict());
    ask("main", "a");
    isDown = true;
    assertThat(ask("main", "a")).isEqualTo(new Price("main", "a"));
    assertThatThrownBy(() -> ask("other", "a")).isSameAs(down);
    assertThatThrownBy(() -> failovers.stored().ofTenant("other"))
        .isInstanceOf(FailoverStoreException.class);
    assertThat(failovers.call(price, List.of("a"), this::fail)).isEqualTo(new Price("main", "a"));
  }

  private Price fail() throws IOException {
    throw down;
  }

  private void awaitWrites() {
    Eventually.await("all is written", () -> queue.waiting() == 0);
  }

  @Test
  void whatIsListedExpiredAndForgottenIsThatOfOneTenant() throws IOException {
    for (String tenant : List.of("acme", "zeta")) {
      ask(tenant, "a");
      ask(tenant, "b");
    }
    StoredAnswers acme = failovers.stored().ofTenant("acme");
    StoredAnswers zeta = failovers.stored().ofTenant("zeta");
    assertThat(acme.entries("price", 10))
        .hasSize(2)
        .allMatch(entry -> entry.name().equals("price"));
    String id = acme.entries("price", 1).get(0).id();
    assertThat(acme.forget("price", id)).isTrue();
    assertThat(acme.entries("price", 10)).hasSize(1);
    assertThat(zeta.entries("price", 10)).hasSize(2);
    awaitWrites(); // what waits may be counted as well
    assertThat(acme.expireAll("price")).isOne();
    isDown = true;
    for (String sku : List.of("a", "b")) {
      assertThatThrownBy(() -> ask("acme", sku)).isSameAs(down);
      assertThat(ask("zeta", sku)).isEqualTo(new Price("zeta", sku));
    }
    try (TenantContext.Scope scope = TenantContext.open("zeta")) {
      assertThat(scope).isNotNull();
      failovers.forget(price, List.of("a"));
      assertThat(failovers.stored().entries("price", 10)).hasSize(1);
    }
    assertThatThrownBy(() -> ask("zeta", "a")).isSameAs(down);
    awaitWrites();
    assertThat(zeta.forgetAll("price")).isOne();
    assertThatThrownBy(() -> ask("zeta", "b")).isSameAs(down);
  }

  private List<Item> items(Catalog catalog, FailoverSpec<List<Item>> spec, List<Integer> ids)
      throws IOException {
    return failovers.call(spec, List.of(ids), () -> catalog.items(ids));
  }

  @Test
  void slicesAreThoseOfTheTenantAlsoWhereOtherThreadsKeepThem() throws Exception {
    Catalog catalog = new Catalog();
    FailoverSpec<List<Item>> byId = Catalog.items("items").payloadSplitter(new Items()).build();
    FailoverSpec<List<Item>> timed =
        Catalog.items("timed")
            .domain("items")
            .payloadSplitter(new Items())
            .hardTimeout(Duration.ofSeconds(30)) // made on a thread without a tenant
            .build();
    FailoverSpec<List<Item>> every =
        Catalog.items("all").domain("items").payloadSplitter(new Items()).recoverAll(true).build();
    try (TenantContext.Scope scope = TenantContext.open("acme")) {
      assertThat(scope).isNotNull();
      items(catalog, timed, List.of(1, 2));
    }
    catalog.version = 2;
    try (TenantContext.Scope scope = TenantContext.open("zeta")) {
      assertThat(scope).isNotNull();
      items(catalog, byId, List.of(2, 3));
      catalog.isDown = true;
      assertThat(items(catalog, byId, List.of(1, 2, 3)))
          .containsExactly(new Item(2, "v2"), new Item(3, "v2"));
      assertThat(items(catalog, every, List.of(9)))
          .containsExactlyInAnyOrder(new Item(2, "v2"), new Item(3, "v2"));
    }
    try (TenantContext.Scope scope = TenantContext.open("acme")) {
      assertThat(scope).isNotNull();
      assertThat(items(catalog, timed, List.of(1, 2, 3)))
          .containsExactly(new Item(1, "v1"), new Item(2, "v1"));
      failovers.forget(byId, List.of(List.of(1, 2)));
      assertThatThrownBy(() -> items(catalog, every, List.of(9))).isSameAs(catalog.down);
    }
    assertThatThrownBy(() -> items(catalog, every, List.of(9))).isSameAs(catalog.down);
    assertThat(failovers.stored().ofTenant("zeta").entries("items", 10)).hasSize(2);
  }

  @Test
  void tenThousandMadeUpTenantsLeaveLittleInMemory() throws Exception {
    AtomicInteger next = new AtomicInteger();
    failovers.close();
    MultiTenantFailoverStore routed =
        new MultiTenantFailoverStore(Tenants.of(TenantContext.resolver()), tables, 10, time);
    WriteSkippingFailoverStore far = new WriteSkippingFailoverStore(routed);
    NearFarFailoverStore both = new NearFarFailoverStore(near, far);
    failovers =
        Failovers.builder(both)
            .tenants(Tenants.of(TenantContext.resolver()))
            .readTimeout(Duration.ofSeconds(60)) // on a busy machine
            .time(time)
            .build();
    Together.runAll(
        8,
        () -> {
          for (int i = next.getAndIncrement(); i < 10_000; i = next.getAndIncrement()) {
            ask("made-up-" + i, "a");
          }
        });
    Eventually.await("the others are closed", () -> routed.openStores() == 10);
    assertThat(near.names().orElseThrow()).hasSize(100);
    assertThat(failovers.counts()).hasSize(1);
    isDown = true;
    assertThat(ask("made-up-3", "a")).isEqualTo(new Price("made-up-3", "a"));
  }
}
