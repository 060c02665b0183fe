package tracer.spring.boot;

import holdfast.spring.boot.EndpointRequests;
import holdfast.spring.boot.LedgerAnswer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import tracer.Tracer;
import tracer.spring.boot.TracerAnswers.Dumped;
import tracer.spring.boot.TracerAnswers.Excluded;
import tracer.spring.boot.TracerAnswers.NotDumped;
import tracer.spring.boot.TracerAnswers.Report;

/**
 * The Actuator endpoint {@code tracer}. Reading is allowed wherever it is exposed; dump, disable
 * and enable only with {@code management.endpoint.tracer.access=unrestricted}. Safe for use by many
 * threads.
 *
 * <pre>
 * GET    tracer           ledger, counters, what is excluded
 * POST   tracer/dump      has a flight recorder dump, with the "reason"
 * POST   tracer/disable   events of the "category" are no longer recorded
 * POST   tracer/enable    they are recorded again
 * </pre>
 */
@Endpoint(id = "tracer", defaultAccess = Access.READ_ONLY)
final class TracerEndpoint {
  private static final String DUMP = "dump";
  private static final String DISABLE = "disable";
  private static final String ENABLE = "enable";

  private final Tracer tracer;

  TracerEndpoint(Tracer tracer) {
    this.tracer = tracer;
  }

  /** All numbers as they stand. */
  @ReadOperation
  public Report report() {
    return new Report(
        tracer.isFlightRecorder(),
        Excluded.of(tracer.exclusions()),
        tracer.metrics(),
        LedgerAnswer.ofProcess(tracer.ledger()));
  }

  /** Dumps, or changes what is recorded. A dump that fails is answered with 503 and the reason. */
  @WriteOperation
  public Object act(@Selector String action, @Nullable String reason, @Nullable String category) {
    EndpointRequests.oneOf("the action", action, DUMP, DISABLE, ENABLE);
    if (action.equals(DUMP)) {
      return dump(required("reason", reason));
    }
    String found = required("category", category);
    if (action.equals(DISABLE)) {
      tracer.disableCategory(found);
    } else {
      tracer.enableCategory(found);
    }
    return Excluded.of(tracer.exclusions());
  }

  private static String required(String name, @Nullable String text) {
    if (text == null || text.isBlank()) {
      throw EndpointRequests.refused(name + " must be given but was missing or blank");
    }
    return text;
  }

  private Object dump(String reason) {
    try {
      return Dumped.of(tracer.dump(reason));
    } catch (IllegalStateException e) {
      throw EndpointRequests.refused(
          String.valueOf(e.getMessage()) + ", or set tracer.keep-last=30s");
    } catch (IOException e) {
      return new WebEndpointResponse<>(
          new NotDumped(String.valueOf(e.getMessage())),
          WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw EndpointRequests.refused("the dump was interrupted; ask again");
    }
  }
}
