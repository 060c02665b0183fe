package failover.observe;

import failover.FailoverSpec;
import org.jspecify.annotations.Nullable;

/** Makes events of what happens and tells them to publishers. Safe for use by many threads. */
public final class PublishedEvents implements FailoverLifecycleListener {
  private final ObservablePublisher publisher;

  /** Events for that publisher. */
  public PublishedEvents(ObservablePublisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public void upstream(FailoverSpec<?> spec, boolean answered, long nanos) {
    publisher.publish(
        event(spec, "upstream")
            .collect("upstream-result", answered ? "success" : "failure")
            .collect("upstream-duration-ns", nanos));
  }

  @Override
  public void stored(FailoverSpec<?> spec, boolean kept, long nanos) {
    publisher.publish(
        withExpiry(event(spec, "store").collect("is-stored", kept), spec)
            .collect("duration-ns", nanos));
  }

  @Override
  public void recovered(
      FailoverSpec<?> spec,
      Throwable cause,
      boolean found,
      @Nullable Throwable trouble,
      long nanos) {
    Throwable inner = cause.getCause();
    Throwable innermost = Causes.innermost(cause);
    publisher.publish(
        withExpiry(event(spec, "recover"), spec)
            .collect("exception", cause.getClass().getName())
            .collect("exception-message", cause.getMessage())
            .collect("cause", inner == null ? null : inner.getClass().getName())
            .collect("cause-message", inner == null ? null : inner.getMessage())
            .collect("final-cause", innermost == null ? null : innermost.getClass().getName())
            .collect("final-cause-message", innermost == null ? null : innermost.getMessage())
            .collect("is-recovered", found)
            .collect("is-recovery-failed", trouble != null)
            .collect("recovery-failure-message", trouble == null ? null : trouble.getMessage())
            .collect("duration-ns", nanos));
  }

  @Override
  public void writeFailed(String name, String operation, String why) {
    publisher.publish(
        Metrics.of(name)
            .collect("action", "store-async-failed")
            .collect("name", name)
            .collect("async-operation", operation)
            .collect("exception-type", why));
  }

  /** Tells how a point is configured: an event without an action. */
  public void configured(FailoverSpec<?> spec) {
    publisher.publish(
        withExpiry(Metrics.of("failover-report-" + spec.name()), spec)
            .collect("name", spec.name())
            .collect("domain", spec.effectiveName())
            .collect("method", spec.method())
            .collect("type", spec.type().getTypeName())
            .collect("schema-version", spec.schemaVersion())
            .collect("pause", spec.pause().toString())
            .collect("soft-timeout", spec.softTimeout().map(Object::toString).orElse(null))
            .collect("hard-timeout", spec.hardTimeout().map(Object::toString).orElse(null)));
  }

  private static Metrics event(FailoverSpec<?> spec, String action) {
    return Metrics.of(spec.name())
        .collect("action", action)
        .collect("name", spec.name())
        .collect("domain", spec.effectiveName())
        .collect("method", spec.method());
  }

  private static Metrics withExpiry(Metrics event, FailoverSpec<?> spec) {
    return event
        .collect("expiry-duration", spec.expiry().amount())
        .collect("expiry-unit", spec.expiry().unit().name());
  }
}
