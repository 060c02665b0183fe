package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Which lifecycle events the listener is called for. */
class LifecycleListenerTest extends LoggerFixture {
  private final Queue<String> called = new ConcurrentLinkedQueue<>();

  private final EventLogLifecycleListener listener =
      new EventLogLifecycleListener() {
        @Override
        public void onSpillBegan() {
          called.add("spill began");
        }

        @Override
        public void onSpillEnded() {
          called.add("spill ended");
        }

        @Override
        public void onReplayFinished(long events) {
          called.add("replayed " + events);
        }

        @Override
        public void onCircuitOpened(String problem) {
          called.add("opened " + problem);
        }

        @Override
        public void onCircuitClosed() {
          called.add("closed");
        }

        @Override
        public void onDiskFailing(Exception cause) {
          called.add("disk fails: " + cause.getMessage());
        }

        @Override
        public void onDiskWorking() {
          called.add("disk works");
        }
      };

  private AsyncEventLogger listened(Path path) {
    return logger(
        b ->
            b.spilloverPath(path)
                .lifecycleListener(listener)
                .maxRetries(0)
                .circuitBreakerThreshold(1));
  }

  @Test
  void anOutageOfTheApiIsToldFromItsBeginToItsEnd() {
    api.isDown();
    AsyncEventLogger logger = listened(directory);
    logger.log(Events.events("e", 3));
    Eventually.await("on disk", () -> logger.metrics().eventsSpilled() == 3);
    api.isUp();
    passUntil("ended", () -> called.contains("spill ended"));
    assertThat(called)
        .containsExactlyInAnyOrder(
            "opened down", "spill began", "closed", "replayed 3", "spill ended");
    assertThat(called).endsWith("replayed 3", "spill ended");
  }

  @Test
  void aDiskThatFailsIsToldOfAndThatItWorksAgain() {
    api.isDown();
    FaultyFiles files = FaultyFiles.over(directory);
    files.failWhen(op -> true, () -> new IOException("read-only file system"));
    AsyncEventLogger logger = listened(files.root());
    logger.log(Events.event("a"));
    Eventually.await("waits", () -> logger.ledger().heldByPlace().get("spilling") == 1);
    files.mend();
    passUntil("written", () -> called.contains("disk works"));
    assertThat(called).contains("disk fails: read-only file system", "spill began");
  }

  @Test
  void whatItThrowsIsLoggedAndIgnored() {
    api.isDown();
    AsyncEventLogger logger =
        logger(
            b ->
                b.spilloverPath(directory)
                    .maxRetries(0)
                    .circuitBreakerThreshold(1)
                    .lifecycleListener(
                        new EventLogLifecycleListener() {
                          @Override
                          public void onCircuitOpened(String problem) {
                            throw new LinkageError("told to fail");
                          }
                        }));
    logger.log(Events.event("a"));
    Eventually.await("on disk", () -> logger.metrics().eventsSpilled() == 1);
    assertThat(log.messages(Level.WARNING))
        .contains(
            "eventlog lifecycle listener failed failures=1"
                + " error=java.lang.LinkageError: told to fail");
  }
}
