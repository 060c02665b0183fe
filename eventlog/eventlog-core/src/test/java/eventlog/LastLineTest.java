package eventlog;

import eventlog.spi.Answer;
import holdfast.testkit.process.LastLineContract;
import java.time.Duration;
import java.util.List;

/** With {@code java.util.logging}, whose handlers are gone by then. */
class LastLineTest extends LastLineContract {

  /** Logs one event. */
  static final class Program {
    public static void main(String[] args) throws InterruptedException {
      AsyncEventLogger logger =
          AsyncEventLogger.builder().client(events -> Answer.delivered()).build();
      logger.log(Events.event("a"));
      logger.flush(Duration.ofSeconds(60));
      ready(args);
    }
  }

  LastLineTest() {
    super(
        List.of("^INFO: eventlog accepted=1 delivered=1 held=0 lost=0 unaccounted=0 closed$"),
        Program.class);
  }
}
