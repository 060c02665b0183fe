package tracer.spring.boot;

import holdfast.spring.boot.LedgerAnswer;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import tracer.Exclusions;
import tracer.TraceDump;
import tracer.TracerMetrics;

/** What the endpoint answers; Actuator writes it as JSON. */
final class TracerAnswers {

  private TracerAnswers() {}

  /**
   * All numbers.
   *
   * @param flightRecorder whether events stay in memory until a dump
   * @param excluded what is not recorded
   * @param metrics the counters
   * @param ledger of this process
   */
  record Report(
      boolean flightRecorder, Excluded excluded, TracerMetrics metrics, LedgerAnswer ledger)
      implements OperationResponseBody {}

  /**
   * What is not recorded.
   *
   * @param categories by the part of the name before the first dot
   * @param names by the whole name
   */
  record Excluded(Set<String> categories, Set<String> names) implements OperationResponseBody {

    static Excluded of(Exclusions exclusions) {
      return new Excluded(
          new TreeSet<>(exclusions.categories()), new TreeSet<>(exclusions.names()));
    }
  }

  /**
   * Why there is no dump.
   *
   * @param error what happened, and how to fix it
   */
  record NotDumped(String error) implements OperationResponseBody {}

  /**
   * What was dumped.
   *
   * @param file the file on the host of the application
   * @param reason why, as it was given
   * @param events how many events it has
   */
  record Dumped(String file, String reason, long events) implements OperationResponseBody {

    static Dumped of(TraceDump dump) {
      return new Dumped(dump.file().toString(), dump.reason(), dump.events());
    }
  }
}
