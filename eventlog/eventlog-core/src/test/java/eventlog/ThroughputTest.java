package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import holdfast.testkit.time.SettableTime;
import holdfast.time.Alarm;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the default settings keep up with, by a clock that the test moves. */
@Timeout(120)
class ThroughputTest {
  private static final Duration STEP = Duration.ofMillis(10);
  private static final int EVENTS_PER_STEP = 25;
  private static final int STEPS = 1200;

  private final SettableTime time = new SettableTime();

  private Answer answerAfterAWhile() throws InterruptedException {
    Alarm alarm = time.newAlarm();
    alarm.await(Duration.ofMillis(50));
    return Answer.delivered();
  }

  @Test
  void anApiThatTakesFiftyMillisecondsLosesNothingOfTwoThousandFiveHundredEventsASecond()
      throws InterruptedException {
    AsyncEventLogger logger =
        AsyncEventLogger.builder()
            .client(events -> answerAfterAWhile())
            .time(time)
            .registerShutdownHook(false)
            .build();
    int asleep = AsyncEventLoggerBuilder.DEFAULT_SENDER_THREADS + 1; // and the retries
    int deepest = 0;
    for (int step = 0; step < STEPS; step++) {
      time.awaitSleepers(asleep);
      logger.log(Events.events("e" + step, EVENTS_PER_STEP));
      deepest = Math.max(deepest, logger.queueDepth());
      time.advance(STEP);
    }

    assertThat(logger.ledger().lost()).as(logger.ledger().toLine()).isZero();
    assertThat(deepest).as("events in the queue").isLessThan(1000);
    logger.close(Duration.ofMillis(1));
  }
}
