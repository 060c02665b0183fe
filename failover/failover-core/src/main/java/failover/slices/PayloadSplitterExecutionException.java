package failover.slices;

import failover.FailoverException;
import failover.FailoverSpec;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * A {@link PayloadSplitter} threw, or returned what no splitter may return. Callers of a failed
 * call do not get it: they get the failure of their source. It is logged, and listeners are told.
 */
public final class PayloadSplitterExecutionException extends FailoverException {
  private static final long serialVersionUID = 1;

  private final Operation operation;
  private final String splitter;
  private final String domain;
  private final long expiry;
  private final ChronoUnit unit;

  /** What the splitter was asked to do. */
  public enum Operation {
    /** {@link PayloadSplitter#splitOnStore}. */
    SPLIT_ON_STORE("splitOnStore"),
    /** {@link PayloadSplitter#splitOnRecover}. */
    SPLIT_ON_RECOVER("splitOnRecover"),
    /** {@link PayloadSplitter#merge}. */
    MERGE("merge");

    private final String method;

    Operation(String method) {
      this.method = method;
    }

    /** The name in log lines and messages. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What failed, at which point, and why. */
  public PayloadSplitterExecutionException(
      Operation operation, PayloadSplitter<?, ?> splitter, FailoverSpec<?> spec, Throwable cause) {
    super(
        spec.name(),
        "%s of %s must not fail but threw %s; failover '%s' of domain '%s', expiry %d %s: correct the"
                .formatted(
                    operation.method,
                    splitter.getClass().getName(),
                    cause.getClass().getName(),
                    spec.name(),
                    spec.effectiveName(),
                    spec.expiry().amount(),
                    spec.expiry().unit().name())
            + " splitter, whose answers are neither stored nor recovered",
        cause);
    this.operation = operation;
    this.splitter = splitter.getClass().getName();
    this.domain = spec.effectiveName();
    this.expiry = spec.expiry().amount();
    this.unit = spec.expiry().unit();
  }

  /** What the splitter was asked to do. */
  public Operation operation() {
    return operation;
  }

  /** The class of the splitter. */
  public String splitter() {
    return splitter;
  }

  /** The name under which answers are kept: the domain, or the name of the point. */
  public String domain() {
    return domain;
  }

  /** How long answers stay good, in units. */
  public long expiry() {
    return expiry;
  }

  /** The unit of the expiry. */
  public ChronoUnit unit() {
    return unit;
  }
}
