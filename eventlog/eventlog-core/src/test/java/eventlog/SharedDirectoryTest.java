package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Several loggers, in one process or in several, with one directory. */
class SharedDirectoryTest extends LoggerFixture {

  private AsyncEventLogger down() {
    api.isDown();
    return spilling(
        b ->
            b.circuitBreakerThreshold(1)
                .maxRetries(0)
                .replayIntervalMs(1000)
                .circuitBreakerReset(Duration.ofSeconds(2)));
  }

  @Test
  void theSecondLoggerGetsADirectoryOfItsOwn() {
    AsyncEventLogger first = down();
    AsyncEventLogger second = down();
    first.log(Events.event("one"));
    second.log(Events.event("two"));
    settle(first);
    settle(second);

    assertThat(lines(ACTIVE)).hasSize(1).first().asString().contains("\"one\"");
    assertThat(lines("process-2/" + ACTIVE)).hasSize(1).first().asString().contains("\"two\"");
  }

  @Test
  void whatAClosedLoggerLeftIsSentByOneThatRuns() {
    AsyncEventLogger first = down();
    AsyncEventLogger second = down();
    first.log(Events.event("one"));
    settle(first);
    first.shutdown();
    api.isUp();

    passUntil("adopted", () -> second.metrics().eventsReplayed() == 1);
    settle(second);

    assertThat(api.stored()).containsExactly("one");
    assertThat(second.ledger().recoveredAtStartup()).isEqualTo(1);
    Eventually.await("deleted", () -> !Files.exists(directory.resolve(REPLAY)));
    assertThat(spilling(b -> {}).ledger().recoveredAtStartup()).isZero();
  }

  @Test
  void aLoggerThatRunsIsNotRobbed() throws InterruptedException {
    AsyncEventLogger first = down();
    first.log(Events.event("one"));
    settle(first);
    AsyncEventLogger second = spilling(b -> b.client(new FakeApi()).replayIntervalMs(100));

    pass(Duration.ofSeconds(1), 8);

    assertThat(second.ledger().recoveredAtStartup()).isZero();
    assertThat(lines(ACTIVE)).hasSize(1);
  }

  @Test
  void whatAKilledProcessLeftIsSentByOneThatRuns() throws InterruptedException {
    try (ChildJvm child = ChildJvm.of(SpillingApp.class, directory.toString()).start()) {
      child.awaitLine("spilled"::equals, Duration.ofSeconds(40));
      AsyncEventLogger here = down();
      api.isUp();
      here.log(Events.event("mine"));
      settle(here);
      assertThat(Files.isDirectory(directory.resolve("process-2"))).isTrue();
      assertThat(here.ledger().recoveredAtStartup()).isZero();

      child.kill();
      passUntil("adopted", () -> here.metrics().eventsReplayed() == 5);

      assertThat(api.stored()).contains("mine", "child-0", "child-4").hasSize(6);
    }
  }

  /** Spills five events and waits to be killed. */
  static final class SpillingApp {
    private SpillingApp() {}

    public static void main(String... args) throws InterruptedException {
      AsyncEventLogger logger =
          AsyncEventLogger.builder()
              .client(new FakeApi().isDown())
              .spilloverPath(Path.of(args[0]))
              .maxRetries(0)
              .build();
      logger.log(Events.events("child", 5));
      logger.flush(Duration.ofSeconds(20));
      System.out.println("spilled");
      Thread.currentThread().join();
    }
  }
}
