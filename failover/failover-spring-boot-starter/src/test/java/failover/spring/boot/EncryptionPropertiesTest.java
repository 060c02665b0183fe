package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failovers;
import failover.observe.internal.FailoverMeter;
import failover.spring.boot.Shop.Price;
import failover.store.EncryptingFailoverStore;
import failover.store.FailoverStore;
import failover.store.InMemoryFailoverStore;
import failover.store.encryption.PayloadCipher;
import holdfast.testkit.log.CapturedLog;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.logging.Level;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.core.NestedExceptionUtils;

/** The settings of encryption in a whole application. */
@ExtendWith(OutputCaptureExtension.class)
class EncryptionPropertiesTest {
  private static final String KEY = key(1);
  private static final String OTHER = key(2);
  private static final String ON = "failover.store.encryption.enabled=true";
  private static final String OFF = "failover.store.encryption.enabled=false";

  private final String url = "jdbc:h2:mem:enc_%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID());

  private static String key(int seed) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) seed);
    return Base64.getEncoder().encodeToString(key);
  }

  /** A cipher of the application: turns every bit around. */
  private record Turned(String id) implements PayloadCipher {
    @Override
    public byte[] encrypt(byte[] content, byte[] place) {
      byte[] turned = content.clone();
      for (int i = 0; i < turned.length; i++) {
        turned[i] ^= (byte) 0xff;
      }
      return turned;
    }

    @Override
    public byte[] decrypt(byte[] encrypted, byte[] place) {
      return encrypt(encrypted, place);
    }
  }

  /** A process on a table that outlives it, which writes at once and reads from the table alone. */
  private ApplicationContextRunner process(String... settings) {
    return Contexts.jdbc()
        .withPropertyValues(
            "spring.datasource.generate-unique-name=false",
            "spring.datasource.url=" + url,
            "failover.store.jdbc.near=false",
            "failover.store.async=false")
        .withPropertyValues(settings);
  }

  private static Price ask(ApplicationContext context, String sku) throws Exception {
    return context.getBean(Shop.class).price(sku);
  }

  private void store(String sku, String... settings) {
    process(settings).run(context -> assertThat(ask(context, sku)).isNotNull());
  }

  private void assertRecovered(List<String> skus, String... settings) {
    process(settings)
        .run(
            context -> {
              Contexts.target(context).goDown();
              for (String sku : skus) {
                assertThat(ask(context, sku)).isEqualTo(new Price(sku, 100));
              }
            });
  }

  private List<String> rows() {
    List<String> rows = new ArrayList<>();
    process()
        .run(
            context -> {
              try (Connection connection = context.getBean(DataSource.class).getConnection();
                  ResultSet found =
                      connection
                          .createStatement()
                          .executeQuery("SELECT PAYLOAD, CONTENT_HASH FROM FAILOVER_STORE")) {
                while (found.next()) {
                  rows.add(new String(found.getBytes(1), StandardCharsets.ISO_8859_1));
                }
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    return rows;
  }

  private void assertRefused(String why, String... settings) {
    process(settings)
        .run(
            context -> {
              assertThat(context).hasFailed();
              Throwable cause = NestedExceptionUtils.getRootCause(context.getStartupFailure());
              assertThat(cause).hasMessageContaining(why);
              for (Throwable it = context.getStartupFailure(); it != null; it = it.getCause()) {
                assertThat(it.toString()).doesNotContain(KEY, OTHER, "c2VjcmV0");
              }
            });
  }

  @Test
  void answersAreEncryptedInTheTableAndReadByTheNextProcess() {
    String key = "failover.store.encryption.key=" + KEY;
    store("secret-sku", ON, key);
    assertThat(rows()).singleElement().asString().contains("aesgcm").doesNotContain("secret");
    assertRecovered(List.of("secret-sku"), ON, key);
  }

  @Test
  void encryptionIsSwitchedOnAndOffWithRowsOfBothKinds() {
    String key = "failover.store.encryption.key=" + KEY;
    store("before");
    store("meanwhile", ON, key);
    store("after", OFF, key);
    List<String> all = List.of("before", "meanwhile", "after");
    assertRecovered(all, ON, key);
    assertRecovered(all, OFF, key);
    assertThat(rows().stream().filter(row -> row.contains("aesgcm"))).hasSize(1);
  }

  @Test
  void theOtherNamesOfTheSettingsCountForATable() {
    store(
        "a",
        "failover.store.jdbc.encryption.enabled=true",
        "failover.store.jdbc.encryption.cipher=aesgcm",
        "failover.store.jdbc.encryption.key=" + KEY);
    assertRecovered(List.of("a"), ON, "failover.store.encryption.key=" + KEY);
    assertThat(rows()).singleElement().asString().contains("aesgcm");
  }

  @Test
  void settingsThatContradictEachOtherFailTheStart() {
    assertRefused(
        "failover.store.encryption.key and failover.store.jdbc.encryption.key must be the same but"
            + " differ",
        ON,
        "failover.store.encryption.key=" + KEY,
        "failover.store.jdbc.encryption.key=" + OTHER);
    assertRefused(
        "failover.store.encryption.enabled and failover.store.jdbc.encryption.enabled must be",
        ON,
        "failover.store.encryption.key=" + KEY,
        "failover.store.jdbc.encryption.enabled=false");
    assertRefused(
        "failover.store.encryption.cipher and failover.store.jdbc.encryption.cipher must be",
        "failover.store.encryption.cipher=b64",
        "failover.store.jdbc.encryption.cipher=aesgcm");
    assertRefused(
        "failover.store.encryption.previous-keys must be empty where",
        "failover.store.encryption.previous-keys.1=" + KEY);
    assertRefused(
        "failover.store.encryption.accept-plain must be true where nothing is encrypted",
        "failover.store.encryption.accept-plain=false");
  }

  @Test
  void keysThatAreNoneFailTheStartAndAreNotQuoted() {
    assertRefused("failover.store.encryption.key is not set", ON);
    assertRefused(
        "must be 16, 24 or 32 bytes in Base64 but is 6 bytes",
        ON,
        "failover.store.encryption.key=c2VjcmV0");
    assertRefused(
        "must be 16, 24 or 32 bytes in Base64 but is not Base64",
        OFF,
        "failover.store.encryption.key=c2VjcmV0!");
    assertRefused(
        "each key must have an id of its own but two have '1'",
        ON,
        "failover.store.encryption.key=" + OTHER,
        "failover.store.encryption.previous-keys.1=" + KEY);
  }

  @Test
  void aKeyIsChangedInTwoSteps() {
    String old = "failover.store.encryption.key=" + KEY;
    String[] changed = {
      ON,
      "failover.store.encryption.key=" + OTHER,
      "failover.store.encryption.key-id=2",
      "failover.store.encryption.previous-keys.1=" + KEY
    };
    store("before", ON, old);
    store("after", changed);
    assertRecovered(List.of("before", "after"), changed);
    assertRecovered(
        List.of("after"),
        ON,
        "failover.store.encryption.key=" + OTHER,
        "failover.store.encryption.key-id=2");
  }

  @Test
  void aWrongKeyIsALineACounterAndTheCallsOwnException() {
    store("a", ON, "failover.store.encryption.key=" + KEY);
    ApplicationContextRunner meters =
        Contexts.withDatabase(Contexts.meters())
            .withPropertyValues(
                "spring.datasource.generate-unique-name=false",
                "spring.datasource.url=" + url,
                "failover.store.jdbc.near=false",
                "failover.store.async=false",
                ON,
                "failover.store.encryption.key=" + OTHER);
    try (CapturedLog log = new CapturedLog("failover")) {
      meters.run(
          context -> {
            Contexts.target(context).goDown();
            for (int i = 0; i < 3; i++) {
              assertThatThrownBy(() -> ask(context, "a"))
                  .isInstanceOf(IOException.class)
                  .hasMessage("down");
            }
            assertThat(
                    context
                        .getBean(MeterRegistry.class)
                        .get(FailoverMeter.UNREADABLE.meterName())
                        .tag("reason", "wrong_key")
                        .functionCounter()
                        .count())
                .isEqualTo(3);
          });
      assertThat(log.messages(Level.WARNING))
          .filteredOn(line -> line.contains("another key of the id '1'"))
          .hasSize(1);
      assertThat(log.lines()).noneMatch(line -> line.contains(KEY) || line.contains(OTHER));
    }
  }

  @Test
  void aKeyIsShownNowhere(CapturedOutput output) {
    process(ON, "failover.store.encryption.key=" + KEY)
        .run(
            context -> {
              ask(context, "a");
              FailoverEndpoint endpoint = new FailoverEndpoint(context.getBean(Failovers.class));
              assertThat(endpoint.report().toString()).doesNotContain(KEY);
              assertThat(String.valueOf(endpoint.stored("price", null, null))).doesNotContain(KEY);
              assertThat(context.getBean(StoreEncryption.class).toString())
                  .isEqualTo("writes aesgcm, reads [aesgcm, b64] and plain");
              assertThat(context.getBean(FailoverProperties.class).getStore().getEncryption())
                  .asString()
                  .doesNotContain(KEY);
            });
    assertRefused(
        "each key must have an id",
        ON,
        "failover.store.encryption.key=" + OTHER,
        "failover.store.encryption.previous-keys.1=" + KEY);
    assertThat(output.getAll()).contains("failover closed").doesNotContain(KEY, OTHER);
  }

  @Test
  void plainRowsMayBeRefused() {
    String key = "failover.store.encryption.key=" + KEY;
    store("plain");
    store("encrypted", ON, key);
    process(ON, key, "failover.store.encryption.accept-plain=false")
        .run(
            context -> {
              Contexts.target(context).goDown();
              assertThat(ask(context, "encrypted")).isEqualTo(new Price("encrypted", 100));
              assertThatThrownBy(() -> ask(context, "plain")).hasMessage("down");
            });
  }

  @Test
  void anEncodingIsWarnedOf() {
    try (CapturedLog log = new CapturedLog("failover")) {
      store("a", ON, "failover.store.encryption.cipher=b64");
      assertThat(log.messages(Level.WARNING))
          .anyMatch(line -> line.contains("failover does NOT encrypt stored answers"));
    }
    assertThat(rows()).singleElement().asString().contains("b64").doesNotContain("cents");
    assertRecovered(List.of("a"));
  }

  @Test
  void aCipherOfTheApplicationIsUsed() {
    process(ON)
        .withBean(PayloadCipher.class, () -> new Turned("turned"))
        .run(context -> assertThat(ask(context, "a")).isNotNull());
    assertThat(rows()).singleElement().asString().contains("turned").doesNotContain("cents");
    process(ON, "failover.store.encryption.key=" + KEY, "failover.store.encryption.cipher=aesgcm")
        .withBean(PayloadCipher.class, () -> new Turned("turned"))
        .run(
            context -> {
              ask(context, "b");
              Contexts.target(context).goDown();
              assertThat(ask(context, "a")).isEqualTo(new Price("a", 100));
            });
    assertThat(rows()).anyMatch(row -> row.contains("aesgcm"));
  }

  @Test
  void aCipherThatNobodyKnowsFailsTheStartWithTheKnownOnes() {
    assertRefused(
        "failover.store.encryption.cipher must be one of [aesgcm, b64] but was 'rot13'",
        ON,
        "failover.store.encryption.cipher=rot13");
  }

  @Test
  void twoCiphersOfOneIdFailTheStart() {
    process(ON, "failover.store.encryption.key=" + KEY)
        .withBean(PayloadCipher.class, () -> new Turned("aesgcm"))
        .run(
            context ->
                assertThat(NestedExceptionUtils.getRootCause(context.getStartupFailure()))
                    .hasMessageContaining("two have 'aesgcm'"));
  }

  @Test
  void memoryIsEncryptedIfAskedForAndAStoreOfTheApplicationAsAWhole() {
    String key = "failover.store.encryption.key=" + KEY;
    Contexts.shop()
        .withPropertyValues(key)
        .run(context -> assertThat(context).hasSingleBean(InMemoryFailoverStore.class));
    Contexts.shop()
        .withPropertyValues(ON, key)
        .run(
            context -> {
              assertThat(context).hasSingleBean(EncryptingFailoverStore.class);
              ask(context, "a");
              Contexts.target(context).goDown();
              assertThat(ask(context, "a")).isEqualTo(new Price("a", 100));
            });
    assertEncryptedAsAWhole(ON, key);
    assertEncryptedAsAWhole("failover.store.jdbc.encryption.enabled=true", key);
    assertEncryptedAsAWhole("failover.store.type=custom", ON, key);
  }

  private static void assertEncryptedAsAWhole(String... settings) {
    InMemoryFailoverStore own = new InMemoryFailoverStore();
    Contexts.shop()
        .withBean(FailoverStore.class, () -> own)
        .withPropertyValues(settings)
        .run(
            context -> {
              ask(context, "a");
              assertThat(own.entries("price", 1))
                  .isNotEmpty()
                  .allSatisfy(entry -> assertThat(found(own, entry)).contains("aesgcm"));
              Contexts.target(context).goDown();
              assertThat(ask(context, "a")).isEqualTo(new Price("a", 100));
            });
    Contexts.shop()
        .withBean(FailoverStore.class, () -> own)
        .withPropertyValues("failover.store.type=custom", OFF)
        .withPropertyValues("failover.store.encryption.key=" + KEY)
        .run(
            context -> {
              ask(context, "plain");
              Contexts.target(context).goDown();
              assertThat(ask(context, "a")).isEqualTo(new Price("a", 100));
              assertThat(ask(context, "plain")).isEqualTo(new Price("plain", 100));
            });
  }

  private static String found(FailoverStore store, FailoverStore.StoredEntry entry) {
    return new String(
        store.find(entry.key()).orElseThrow().payload().bytes(), StandardCharsets.ISO_8859_1);
  }
}
