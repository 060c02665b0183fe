package eventlog.appender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.problems.Problems;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts of a configuration file. */
class AppenderSettingsTest {
  private final Problems problems = new Problems("test");

  private static AppenderSettings usable() {
    return new AppenderSettings().set("baseUri", "http://localhost:1").set("applicationId", "shop");
  }

  @Test
  void allMistakesAreNamedAtOnceWithTheValueFoundAndTheFix() {
    AppenderSettings settings =
        new AppenderSettings()
            .set("queueCapacity", "many")
            .set("batchSize", "0")
            .set("maxBatchWait", "soon")
            .set("maxSpilloverSizeBytes", "5 apples")
            .set("forcePolicy", "sometimes")
            .set("virtualThreads", "maybe")
            .set("maxStackTraceLength", "-1")
            .set("protocol", "carrier pigeon");

    assertThatThrownBy(() -> settings.start(new RecordedReport()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("queueCapacity must be a whole number but was 'many'")
        .hasMessageContaining("batchSize must be from 1 to 67108864 but was 0")
        .hasMessageContaining("maxBatchWait must be a time such as 500 ms, 10 s or PT10S but was")
        .hasMessageContaining("maxSpilloverSizeBytes must be a number, with B, KiB, MiB or GiB")
        .hasMessageContaining("forcePolicy must be one of [NEVER, INTERVAL, EACH_BATCH] but was")
        .hasMessageContaining("virtualThreads must be true or false but was 'maybe'")
        .hasMessageContaining("maxStackTraceLength must be 1 or more but was -1")
        .hasMessageContaining("applicationId must be set but is missing; set the name")
        .hasMessageContaining("baseUri must be set but is missing; set the address")
        .hasMessageContaining("protocol must be one of [eventlog] but was 'carrier pigeon'")
        .hasMessageContaining("add io.holdfast:eventlog-otlp to the class path");
  }

  @Test
  void whatTheClientRefusesIsRefused() {
    AppenderSettings settings = usable().set("baseUri", "ftp://localhost").set("apiKey", "k");

    assertThatThrownBy(() -> settings.start(new RecordedReport()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("baseUri must begin with http: or https: but was ftp://localhost");
  }

  @Test
  void whatTheClientRefusesIsNamedWithTheOtherMistakes() {
    AppenderSettings settings =
        usable()
            .set("baseUri", "http://events.example.com:8080/secret")
            .set("apiKey", "k")
            .set("batchSize", "0");

    assertThatThrownBy(() -> settings.start(new RecordedReport()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batchSize must be from 1 to 67108864 but was 0")
        .hasMessageContaining("was http://events.example.com:8080; use an address that begins with")
        .hasMessageContaining("allowClearText of an appender")
        .hasMessageNotContaining("secret");
  }

  @Test
  void whatTheDestinationAnswersForgesNoLine() {
    RecordedReport report = new RecordedReport();
    LifecycleReport events = new LifecycleReport(report, "http://localhost");

    events.onCircuitOpened("no\n12:00 ERROR forged");
    events.onDiskFailing(new IOException("no\r12:00 ERROR forged"));

    assertThat(report.warnings()).hasSize(2).noneMatch(line -> line.matches("(?s).*[\n\r].*"));
  }

  @ParameterizedTest
  @CsvSource({
    "apiKey, EVENTLOG_API_KEY_IS_UNDEFINED, EVENTLOG_API_KEY_IS_UNDEFINED",
    "baseUri, https://${env:HOST}/api, ${env:HOST}"
  })
  void aVariableThatIsNotDefinedIsRefused(String name, String text, String found) {
    AppenderSettings settings = usable().set(name, text);

    assertThatThrownBy(() -> settings.start(new RecordedReport()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "%s must have a value but its variable is not defined, found '%s'; define the variable"
                .formatted(name, found));
  }

  @Test
  void withWhatIsRequiredAloneItStarts() {
    RecordedReport report = new RecordedReport();

    LineAppender appender = usable().start(report);

    assertThat(appender.stop().stillRunning()).isZero();
    assertThat(report.infos()).singleElement().asString().contains("accepted=0", "closed");
  }

  @ParameterizedTest
  @CsvSource({"500 ms, 500", "10s, 10000", "2 min, 120000", "1 hour, 3600000", "PT0.25S, 250"})
  void timesAreWrittenAsPeopleWriteThem(String text, long millis) {
    SettingTexts texts = new SettingTexts(Map.of("t", text), problems);

    assertThat(texts.time("t")).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({"1000, 1000", "1_000, 1000", "8 KiB, 8192", "50MB, 52428800", "2 GiB, 2147483648"})
  void sizesAreWrittenAsPeopleWriteThem(String text, long bytes) {
    List<Long> sizes = new ArrayList<>();

    new SettingTexts(Map.of("s", text), problems).size("s", sizes::add);

    assertThat(sizes).containsExactly(bytes);
  }

  @ParameterizedTest
  @CsvSource({"999999999999999999 GiB", "-1", "''", "1.5 MiB"})
  void otherSizesAreRefused(String text) {
    List<Long> sizes = new ArrayList<>();

    new SettingTexts(Map.of("s", text), problems).size("s", sizes::add);

    assertThat(sizes).isEmpty();
    assertThat(problems.found()).hasSize(text.isEmpty() ? 0 : 1); // an empty text is no setting
  }
}
