package failover.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.store.FailoverStoreException;
import holdfast.testkit.log.CapturedLog;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class TenantsTest {
  private final Tenants tenants = Tenants.of(TenantContext.resolver());

  @Test
  void theTenantIsThatOfTheThreadOrTheDefault() {
    assertThatThrownBy(tenants::current)
        .isInstanceOf(FailoverStoreException.class)
        .hasMessageContaining("TenantContext.open");
    assertThat(tenants.withDefault("main").current()).isEqualTo("main");
    try (TenantContext.Scope acme = TenantContext.open("acme")) {
      assertThat(acme).isNotNull();
      assertThat(tenants.withDefault("main").current()).isEqualTo("acme");
      try (TenantContext.Scope none = TenantContext.none()) {
        assertThat(none).isNotNull();
        assertThat(tenants.withDefault("main").current()).isEqualTo("main");
      }
      assertThat(TenantContext.current()).isEqualTo("acme");
    }
    assertThat(TenantContext.current()).isNull();
    assertThat(Tenants.of(TenantResolver.fixed("one")).current()).isEqualTo("one");
  }

  @Test
  void idsThatAreNoneAreRefused() {
    for (String id : List.of("", "  ", "a\nb", "a\u001Fb", "x".repeat(101), "_single_")) {
      assertThatThrownBy(() -> Tenants.of(TenantResolver.fixed(id)).current())
          .isInstanceOf(FailoverStoreException.class)
          .hasMessageContaining("1 to 100 characters");
      assertThatThrownBy(() -> tenants.known(List.of(id)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> tenants.withDefault(id))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(Tenants.of(TenantResolver.fixed("é a:b/c@d.e")).current()).isEqualTo("é a:b/c@d.e");
  }

  @Test
  void unknownOnesAreRefusedWhereThatIsStrictAndTheDefaultIsNot() {
    Tenants strict = tenants.withDefault("main").known(List.of("acme")).strict();
    assertThat(strict.checked("acme")).isEqualTo("acme");
    assertThat(strict.checked("main")).isEqualTo("main");
    assertThat(strict.known()).containsExactly("acme", "main");
    assertThatThrownBy(() -> strict.checked("other"))
        .isInstanceOf(FailoverStoreException.class)
        .hasMessageContaining("'other' is unknown");
  }

  @Test
  void unknownOnesAreWarnedOfOnceEachAndNotWithoutEnd() {
    Tenants lenient = tenants.known(List.of("acme"));
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2_000; i++) {
          assertThat(lenient.checked("made-up-" + i)).isEqualTo("made-up-" + i);
        }
      }
      List<String> warnings = log.messages(Level.WARNING);
      assertThat(warnings).hasSize(1_000).doesNotHaveDuplicates();
      assertThat(warnings.get(0)).contains("tenant is unknown").endsWith("tenant=made-up-0");
      assertThat(warnings.get(999)).endsWith("; further ones are not logged");
    }
  }
}
