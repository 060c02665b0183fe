package holdfast.log;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.time.StoppedTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailureLogTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final StoppedTime time = new StoppedTime();
  private final Lines lines = new Lines("shop");
  private final FailureLog log = new FailureLog("shop", "listener", time);

  @AfterEach
  void close() {
    lines.close();
  }

  private void fails(String type, String message) {
    log.failed(type, " id=1", new IllegalStateException(message));
  }

  @Test
  void theFirstFailureHasItsStackTraceThenOneLineAMinuteThenTheRecovery() {
    fails("Made", "broken");
    for (int i = 0; i < 150; i++) {
      time.advance(SECOND);
      fails("Made", "broken " + i);
    }
    time.advance(SECOND);
    log.worked("Made");
    assertThat(lines.taken())
        .containsExactly(
            "WARNING shop listener failed type=Made id=1"
                + " error=java.lang.IllegalStateException: broken +trace",
            "WARNING shop listener still fails type=Made id=1 failures=60 total=61 for=PT1M"
                + " error=java.lang.IllegalStateException: broken 59",
            "WARNING shop listener still fails type=Made id=1 failures=60 total=121 for=PT2M"
                + " error=java.lang.IllegalStateException: broken 119",
            "INFO shop listener works again type=Made failures=151 for=PT2M31S");
  }

  @Test
  void aBurstThatEndsWithinTheMinuteIsCountedWhenTheMinuteIsOver() {
    for (int i = 0; i < 5; i++) {
      fails("Made", "broken " + i);
      log.writeDue();
      time.advance(SECOND);
    }
    assertThat(lines.taken()).hasSize(1);
    time.advance(LineLimit.EVERY);
    log.writeDue();
    log.writeDue();
    assertThat(lines.taken())
        .containsExactly(
            "WARNING shop listener still fails type=Made id=1 failures=4 total=5 for=PT4S"
                + " error=java.lang.IllegalStateException: broken 4");
    log.worked("Made");
    assertThat(lines.taken())
        .singleElement()
        .asString()
        .startsWith("INFO shop listener works again type=Made failures=5");
    time.advance(LineLimit.EVERY);
    log.writeDue();
    assertThat(lines.taken()).isEmpty();
  }

  @Test
  void oneFailureAloneIsOneLine() {
    fails("Made", "broken");
    time.advance(LineLimit.EVERY);
    log.writeDue();
    assertThat(lines.taken()).hasSize(1);
  }

  @Test
  void aTypeThatNeverFailedWritesNothing() {
    log.worked("Made");
    fails("Made", "broken");
    lines.taken();
    log.worked("Other");
    assertThat(lines.taken()).isEmpty();
  }

  @Test
  void whatFailsAndWorksInTurnWritesOneLineAMinute() {
    for (int i = 0; i < 3_600; i++) {
      fails("Made", "broken");
      log.worked("Made");
      time.advance(SECOND);
    }
    List<String> hour = lines.taken();
    assertThat(hour).hasSizeBetween(60, 63);
    assertThat(hour).filteredOn(line -> line.endsWith("+trace")).hasSize(1);
    time.advance(LineLimit.EVERY);
    log.worked("Made");
    assertThat(lines.taken())
        .singleElement()
        .asString()
        .startsWith("INFO shop listener works again type=Made failures=3600");
  }

  @Test
  void afterAMinuteInWhichATypeWorkedItsNextFailureIsTheFirstOfANewSeries() {
    fails("Made", "broken");
    log.worked("Made");
    time.advance(LineLimit.EVERY);
    fails("Made", "again");
    assertThat(lines.taken())
        .hasSize(3)
        .last()
        .asString()
        .isEqualTo(
            "WARNING shop listener failed type=Made id=1"
                + " error=java.lang.IllegalStateException: again +trace");
  }

  @Test
  void eachTypeHasASeriesOfItsOwnUpToALimit() {
    for (int i = 0; i < FailureLog.MAX_TYPES; i++) {
      fails("type" + i, "broken");
    }
    assertThat(lines.taken()).hasSize(FailureLog.MAX_TYPES);
    for (int i = 0; i < FailureLog.MAX_TYPES; i++) {
      fails("more" + i, "broken");
    }
    assertThat(lines.taken())
        .singleElement()
        .asString()
        .startsWith("WARNING shop listener failed type=(others) id=1");
  }

  @Test
  void typesThatWorkAgainMakeRoomForOthers() {
    for (int i = 0; i < FailureLog.MAX_TYPES; i++) {
      fails("type" + i, "broken");
      log.worked("type" + i);
    }
    time.advance(LineLimit.EVERY);
    lines.taken();
    fails("Made", "broken");
    assertThat(lines.taken()).singleElement().asString().contains("type=Made");
  }

  @Test
  void aTypeCannotForgeALine() {
    fails("Made\nERROR shop is on fire", "broken\nERROR so it is");
    assertThat(lines.taken())
        .containsExactly(
            "WARNING shop listener failed type=Made\\nERROR shop is on fire id=1"
                + " error=java.lang.IllegalStateException: broken\\nERROR so it is +trace");
  }
}
