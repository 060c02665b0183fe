package eventlog;

import eventlog.spi.Answer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** An application that logs two events nobody takes, and ends without closing its logger. */
final class ExitingApp {
  private ExitingApp() {}

  public static void main(String... args) throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    AsyncEventLogger logger =
        AsyncEventLogger.builder()
            .client(
                events -> {
                  asked.countDown();
                  return Answer.later("down", null);
                })
            .spilloverPath(Path.of(args[0]))
            .registerShutdownHook(args[1].equals("with"))
            .build();
    logger.log(Events.events("e", 2));
    asked.await();
    System.exit(3);
  }
}
