package eventlog;

import holdfast.testkit.process.Acknowledged;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** An application that is closing its logger, whose API does not answer, when it is told to end. */
final class ClosingApp {
  private ClosingApp() {}

  public static void main(String... args) throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    AsyncEventLogger logger =
        AsyncEventLogger.builder()
            .client(
                events -> {
                  asked.countDown();
                  new CountDownLatch(1).await();
                  return null;
                })
            .spilloverPath(Path.of(args[0]))
            .registerShutdownHook(args[1].equals("with"))
            .closeTimeout(Duration.ZERO)
            .build();
    logger.log(Events.events("e", 200));
    asked.await();
    Thread closer = new Thread(() -> logger.close(Duration.ofSeconds(3)));
    closer.start();
    while (logger.log(Events.event("late"))) {
      Thread.onSpinWait(); // until closing has begun
    }
    Acknowledged.line("closing");
    closer.join();
  }
}
