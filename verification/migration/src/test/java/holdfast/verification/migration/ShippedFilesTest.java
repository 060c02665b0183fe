package holdfast.verification.migration;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.EventBusSchema;
import failover.jdbc.FailoverSchema;
import holdfast.jdbc.Dialect;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.jdbc.Inbox;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.OutboxSchema;

/** What every tool understands is all that the files contain. */
class ShippedFilesTest {

  static Stream<String> files() {
    return ShippedFiles.all().stream();
  }

  @ParameterizedTest
  @MethodSource("files")
  void noFileHasAPlaceholder(String path) {
    assertThat(ShippedFiles.text(path)).doesNotContain("${");
  }

  @ParameterizedTest
  @MethodSource("files")
  void noCommentHasWhatAToolCouldTakeForCode(String path) {
    assertThat(ShippedFiles.text(path).lines().filter(line -> line.contains("--")))
        .isNotEmpty()
        .allMatch(line -> line.strip().startsWith("--"))
        .noneMatch(line -> line.contains(";") || line.contains("'"));
  }

  @ParameterizedTest
  @FieldSource("holdfast.verification.migration.ShippedFiles#DATABASES")
  void theScriptOfTheUsualNamesIsTheFile(String database) {
    Dialect dialect = Dialect.named(database);
    String usual = JdbcOutboxRepository.DEFAULT_TABLE;

    assertThat(OutboxSchema.script(dialect, usual)).isEqualTo(file("outbox/jdbc/schema", database));
    assertThat(OutboxSchema.upgradeScript(dialect, usual))
        .isEqualTo(file(ShippedFiles.UPGRADE, database));
    assertThat(OutboxSchema.inboxScript(dialect, Inbox.DEFAULT_TABLE))
        .isEqualTo(file("outbox/jdbc/schema/inbox", database));
    assertThat(
            EventBusSchema.script(
                dialect, EventBusSchema.DEFAULT_EVENTS_TABLE, EventBusSchema.DEFAULT_LOG_TABLE))
        .isEqualTo(file("eventbus/schema", database));
    assertThat(FailoverSchema.script(dialect, ""))
        .isEqualTo(file("failover/jdbc/schema", database));
    assertThat(FailoverSchema.upgradeScript(dialect, ""))
        .isEqualTo(file(ShippedFiles.ANSWERS_UPGRADE, database));
  }

  @ParameterizedTest
  @FieldSource("holdfast.verification.migration.ShippedFiles#DATABASES")
  void noUsualNameIsLeftInAScriptOfOtherNames(String database) {
    Dialect dialect = Dialect.named(database);

    assertThat(code(OutboxSchema.script(dialect, "app.shop"))).doesNotContain("outbox_event");
    assertThat(code(OutboxSchema.upgradeScript(dialect, "app.shop")))
        .contains("ALTER TABLE app.shop")
        .doesNotContain("outbox_event");
    assertThat(code(OutboxSchema.inboxScript(dialect, "app.seen"))).doesNotContain("outbox_inbox");
    assertThat(code(EventBusSchema.script(dialect, "app.work", "app.closed")))
        .contains("CREATE TABLE IF NOT EXISTS app.work (", "INSERT INTO app.work_count (")
        .doesNotContain("event_log", " events (", "events_idx");
    assertThat(code(FailoverSchema.script(dialect, "app.SHOP_")))
        .contains("app.SHOP_FAILOVER_STORE", "app.SHOP_FAILOVER_REMOVAL", "app.SHOP_FAILOVER_SWEEP")
        .doesNotContain(" FAILOVER_STORE", " FAILOVER_REMOVAL", " FAILOVER_SWEEP");
    assertThat(code(FailoverSchema.upgradeScript(dialect, "app.SHOP_")))
        .contains("ALTER TABLE app.SHOP_FAILOVER_STORE")
        .doesNotContain(" FAILOVER_STORE");
  }

  @Test
  void theScriptsOfOtherNamesAreText() {
    // spotless:off
    // region other names
    Dialect dialect = Dialect.named("postgresql");

    String outbox = OutboxSchema.script(dialect, "shop_outbox");
    String inbox = OutboxSchema.inboxScript(dialect, "shop_inbox");
    String bus = EventBusSchema.script(dialect, "shop.events", "shop.event_log");
    String answers = FailoverSchema.script(dialect, "SHOP_");
    // endregion
    // spotless:on
    assertThat(outbox)
        .contains(
            "CREATE TABLE IF NOT EXISTS shop_outbox_order (",
            "CREATE INDEX IF NOT EXISTS shop_outbox_idx_order\n  ON shop_outbox (");
    assertThat(inbox).contains("CREATE TABLE IF NOT EXISTS shop_inbox (");
    assertThat(bus)
        .contains(
            "CREATE TABLE IF NOT EXISTS shop.events_count (",
            "CREATE INDEX IF NOT EXISTS events_idx_due\n  ON shop.events (");
    assertThat(answers).contains("INSERT INTO SHOP_FAILOVER_SWEEP (");
  }

  @Test
  void eachDatabaseHasEachFile() {
    assertThat(ShippedFiles.all()).hasSize(24);
  }

  private static String file(String folder, String database) {
    return ShippedFiles.text(folder + "/" + database + ".sql");
  }

  private static String code(String script) {
    return script.replaceAll("(?m)^\\s*--.*$", "");
  }
}
