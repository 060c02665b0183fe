package holdfast.work;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Settings of engines in tests. */
final class TestSettings {
  private TestSettings() {}

  /** One worker, leases of 15 s, and no retry of what failed. */
  static WorkSettings ofOneWorker(HandlerTimeouts timeouts, boolean drains) {
    return new WorkSettings(
        "test",
        "handler",
        1,
        10,
        10,
        type -> Integer.MAX_VALUE,
        new LeaseTimes(
            Duration.ofSeconds(15),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofHours(1)),
        timeouts,
        new Retries((item, failures, failure) -> Optional.empty(), null),
        Set.of(),
        drains);
  }
}
