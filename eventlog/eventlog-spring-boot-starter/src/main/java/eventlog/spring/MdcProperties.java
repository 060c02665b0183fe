package eventlog.spring;

/** What can be set under {@code eventlog.mdc}. Not safe for use by many threads. */
final class MdcProperties {
  /** The key under which the MDC has the correlation id. */
  private String correlationId = "correlationId";

  /** The key under which the MDC has the trace id. */
  private String traceId = "traceId";

  /** The key under which the MDC has the id of the span that is under way. */
  private String spanId = "spanId";

  public String getCorrelationId() {
    return correlationId;
  }

  public void setCorrelationId(String correlationId) {
    this.correlationId = correlationId;
  }

  public String getTraceId() {
    return traceId;
  }

  public void setTraceId(String traceId) {
    this.traceId = traceId;
  }

  public String getSpanId() {
    return spanId;
  }

  public void setSpanId(String spanId) {
    this.spanId = spanId;
  }
}
