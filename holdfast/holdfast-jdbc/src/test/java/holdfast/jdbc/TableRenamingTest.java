package holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TableRenamingTest {
  private static final Map<String, TableName> NAMES =
      Map.of(
          "events", TableName.of("app.work"),
          "log", TableName.of("events"),
          "log_purged", TableName.of("app.counts"));

  private static String renamed(String sql) {
    return new TableRenaming(Lexis.POSTGRESQL, NAMES).rename(sql);
  }

  @Test
  void aTableIsRenamedWhereSqlHasOne() {
    assertThat(renamed("CREATE TABLE IF NOT EXISTS events (id INT REFERENCES log);"))
        .isEqualTo("CREATE TABLE IF NOT EXISTS app.work (id INT REFERENCES events);");
    assertThat(renamed("insert into events select * from log join log_purged"))
        .isEqualTo("insert into app.work select * from events join app.counts");
    assertThat(renamed("ALTER TABLE -- the one\n  events"))
        .isEqualTo("ALTER TABLE -- the one\n  app.work");
  }

  @Test
  void aColumnOfTheSameNameStays() {
    String columns = "(status INT, events BIGINT, log TEXT)";

    assertThat(renamed("CREATE TABLE log_purged " + columns))
        .isEqualTo("CREATE TABLE app.counts " + columns);
    assertThat(renamed("UPDATE log_purged SET events = events + 1"))
        .isEqualTo("UPDATE app.counts SET events = events + 1");
  }

  @Test
  void anIndexIsNamedAfterItsTableWithoutTheSchema() {
    assertThat(renamed("CREATE INDEX IF NOT EXISTS events_idx_due ON events (id)"))
        .isEqualTo("CREATE INDEX IF NOT EXISTS work_idx_due ON app.work (id)");
    assertThat(renamed("DROP INDEX log_purged_idx")).isEqualTo("DROP INDEX counts_idx");
    assertThat(renamed("DROP INDEX log_idx")).isEqualTo("DROP INDEX events_idx");
  }

  @Test
  void longerNamesAndThoseInsideOthersStay() {
    String sql =
        "ALTER TABLE my_events ADD COLUMN IF NOT EXISTS eventstamp INT; SELECT 1 FROM events2";

    assertThat(renamed(sql)).isEqualTo(sql);
  }

  @Test
  void aLiteralChangesOnlyIfItIsTheName() {
    assertThat(renamed("SELECT 'events', 'all events', \"events\", 'it''s events'"))
        .isEqualTo("SELECT 'app.work', 'all events', \"events\", 'it''s events'");
  }

  @Test
  void aLiteralInsideALiteralIsOneToo() {
    assertThat(renamed("DO 'SELECT ''events''::regclass; PERFORM ''no events''; '"))
        .isEqualTo("DO 'SELECT ''app.work''::regclass; PERFORM ''no events''; '");
  }

  @Test
  void statementsBetweenDollarsAreRenamedToo() {
    assertThat(renamed("DO $x$ BEGIN PERFORM 1 FROM events WHERE t = 'log'; END $x$;"))
        .isEqualTo("DO $x$ BEGIN PERFORM 1 FROM app.work WHERE t = 'events'; END $x$;");
    assertThat(renamed("DO $$$$")).isEqualTo("DO $$$$");
    assertThat(renamed("DO $$ FROM events")).startsWith("DO $$");
  }

  @Test
  void commentsStay() {
    String sql = "-- FROM events\n/* INTO log */ SELECT 1";

    assertThat(renamed(sql)).isEqualTo(sql);
  }
}
