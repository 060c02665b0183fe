package eventlog;

/** An event in the making that begins as another one is, without its key. Stateless. */
final class EntryCopy {
  private EntryCopy() {}

  static EventLogEntryBuilder of(EventLogEntry event) {
    return new EventLogEntryBuilder()
        .correlationId(event.correlationId())
        .accountId(event.accountId())
        .traceId(event.traceId())
        .spanId(event.spanId())
        .parentSpanId(event.parentSpanId())
        .spanLinks(event.spanLinks())
        .batchId(event.batchId())
        .applicationId(event.applicationId())
        .targetSystem(event.targetSystem())
        .originatingSystem(event.originatingSystem())
        .processName(event.processName())
        .stepSequence(event.stepSequence())
        .stepName(event.stepName())
        .eventType(event.eventType())
        .eventStatus(event.eventStatus())
        .identifiers(event.identifiers())
        .summary(event.summary())
        .result(event.result())
        .metadata(event.metadata())
        .eventTimestamp(event.eventTimestamp())
        .executionTimeMs(event.executionTimeMs())
        .endpoint(event.endpoint())
        .httpMethod(event.httpMethod())
        .httpStatusCode(event.httpStatusCode())
        .errorCode(event.errorCode())
        .errorMessage(event.errorMessage())
        .requestPayload(event.requestPayload())
        .responsePayload(event.responsePayload());
  }
}
