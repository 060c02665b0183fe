package failover.observe.internal;

import failover.FailoverSpec;
import failover.observe.FailoverLifecycleListener;
import failover.observe.ObservablePublisher;
import failover.observe.ObservablePublisher.Metrics;
import org.jspecify.annotations.Nullable;

/** Makes events of what happens and tells them to publishers. Safe for use by many threads. */
public final class PublishedEvents implements FailoverLifecycleListener {
  /** The most of a message, so that events that wait take no more memory than is known. */
  private static final int MOST_TEXT = 500;

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
            .collect("exception-message", message(cause))
            .collect("cause", inner == null ? null : inner.getClass().getName())
            .collect("cause-message", message(inner))
            .collect("final-cause", innermost == null ? null : innermost.getClass().getName())
            .collect("final-cause-message", message(innermost))
            .collect("is-recovered", found)
            .collect("is-recovery-failed", trouble != null)
            .collect("recovery-failure-message", message(trouble))
            .collect("duration-ns", nanos));
  }

  @Override
  public void recoveredPartially(FailoverSpec<?> spec, int missing, int total) {
    publisher.publish(
        event(spec, "recover-partial").collect("missing", missing).collect("total", total));
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
            .collect("type", spec.typeName())
            .collect("schema-version", spec.schemaVersion())
            .collect(
                "payload-splitter",
                spec.payloadSplitter().map(it -> it.getClass().getName()).orElse(null))
            .collect("recover-all", spec.recoversAll())
            .collect("pause", spec.pause().toString())
            .collect("soft-timeout", spec.softTimeout().map(Object::toString).orElse(null))
            .collect("hard-timeout", spec.hardTimeout().map(Object::toString).orElse(null)));
  }

  private static @Nullable String message(@Nullable Throwable failure) {
    String text = failure == null ? null : failure.getMessage();
    return text == null || text.length() <= MOST_TEXT
        ? text
        : text.substring(0, MOST_TEXT) + "… (" + text.length() + " characters)";
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
