package eventlog.log4j2;

import eventlog.appender.AppenderSettings;
import org.apache.logging.log4j.core.config.plugins.PluginBuilderAttribute;
import org.apache.logging.log4j.core.util.Builder;
import org.apache.logging.log4j.status.StatusLogger;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an {@link EventLogAppender}: the attributes of its element in {@code log4j2.xml}, or
 * set by code. All are texts. Not safe for use by many threads.
 */
public final class EventLogAppenderBuilder extends LoggerAttributes
    implements Builder<EventLogAppender> {

  @PluginBuilderAttribute private @Nullable String baseUri;

  @PluginBuilderAttribute private @Nullable String protocol;

  @PluginBuilderAttribute(sensitive = true)
  private @Nullable String apiKey;

  @PluginBuilderAttribute private @Nullable String apiKeyHeader;

  @PluginBuilderAttribute(sensitive = true)
  private @Nullable String bearerToken;

  @PluginBuilderAttribute private @Nullable String allowClearText;

  @PluginBuilderAttribute private @Nullable String connectTimeout;

  @PluginBuilderAttribute private @Nullable String requestTimeout;

  @PluginBuilderAttribute private @Nullable String gzipFromBytes;

  @PluginBuilderAttribute private @Nullable String applicationId;

  @PluginBuilderAttribute private @Nullable String targetSystem;

  @PluginBuilderAttribute private @Nullable String originatingSystem;

  @PluginBuilderAttribute private @Nullable String correlationIdKey;

  @PluginBuilderAttribute private @Nullable String traceIdKey;

  @PluginBuilderAttribute private @Nullable String spanIdKey;

  @PluginBuilderAttribute private @Nullable String maxMessageLength;

  @PluginBuilderAttribute private @Nullable String maxStackTraceLength;

  @PluginBuilderAttribute private @Nullable String redactFields;

  EventLogAppenderBuilder() {}

  /**
   * Checks the settings.
   *
   * @return the appender, not started; null if there is a mistake, which the status logger reports
   */
  @Override
  public @Nullable EventLogAppender build() {
    try {
      return new EventLogAppender(getName(), getFilter(), getPropertyArray(), settings());
    } catch (IllegalArgumentException e) {
      StatusLogger.getLogger()
          .error(
              "{}; the appender {} does not start, and lines are not sent: correct it",
              e.getMessage(),
              getName());
      return null;
    }
  }

  private AppenderSettings settings() {
    return loggerSettings()
        .set("baseUri", baseUri)
        .set("protocol", protocol)
        .set("apiKey", apiKey)
        .set("apiKeyHeader", apiKeyHeader)
        .set("bearerToken", bearerToken)
        .set("allowClearText", allowClearText)
        .set("connectTimeout", connectTimeout)
        .set("requestTimeout", requestTimeout)
        .set("gzipFromBytes", gzipFromBytes)
        .set("applicationId", applicationId)
        .set("targetSystem", targetSystem)
        .set("originatingSystem", originatingSystem)
        .set("correlationIdKey", correlationIdKey)
        .set("traceIdKey", traceIdKey)
        .set("spanIdKey", spanIdKey)
        .set("maxMessageLength", maxMessageLength)
        .set("maxStackTraceLength", maxStackTraceLength)
        .set("redactFields", redactFields);
  }

  /** Sets where events are sent to: the Event Log API, or an OpenTelemetry collector. Required. */
  public EventLogAppenderBuilder setBaseUri(String text) {
    this.baseUri = text;
    return asBuilder();
  }

  /**
   * Sets how events are sent: {@code eventlog}, or with {@code eventlog-otlp} {@code http/protobuf}
   * or {@code http/json}. Default: {@code eventlog}.
   */
  public EventLogAppenderBuilder setProtocol(String text) {
    this.protocol = text;
    return asBuilder();
  }

  /** Sets the API key. Default: none. */
  public EventLogAppenderBuilder setApiKey(String text) {
    this.apiKey = text;
    return asBuilder();
  }

  /** Sets the header for the API key. Default: {@code X-API-Key}. */
  public EventLogAppenderBuilder setApiKeyHeader(String text) {
    this.apiKeyHeader = text;
    return asBuilder();
  }

  /** Sets a token that is sent with each request. Default: none. */
  public EventLogAppenderBuilder setBearerToken(String text) {
    this.bearerToken = text;
    return asBuilder();
  }

  /**
   * Sets whether a key or token may be sent to another machine by {@code http:}. Default: false.
   */
  public EventLogAppenderBuilder setAllowClearText(String text) {
    this.allowClearText = text;
    return asBuilder();
  }

  /** Sets how long connecting may take. Default: 5 s. */
  public EventLogAppenderBuilder setConnectTimeout(String text) {
    this.connectTimeout = text;
    return asBuilder();
  }

  /** Sets how long a request may take, to the last byte of its answer. Default: 10 s. */
  public EventLogAppenderBuilder setRequestTimeout(String text) {
    this.requestTimeout = text;
    return asBuilder();
  }

  /** Sets from how many bytes on requests are compressed. Default: 8192. */
  public EventLogAppenderBuilder setGzipFromBytes(String text) {
    this.gzipFromBytes = text;
    return asBuilder();
  }

  /** Sets the name of the application. Required. */
  public EventLogAppenderBuilder setApplicationId(String text) {
    this.applicationId = text;
    return asBuilder();
  }

  /** Sets the field {@code targetSystem} of events. Default: the application. */
  public EventLogAppenderBuilder setTargetSystem(String text) {
    this.targetSystem = text;
    return asBuilder();
  }

  /** Sets the field {@code originatingSystem} of events. Default: the application. */
  public EventLogAppenderBuilder setOriginatingSystem(String text) {
    this.originatingSystem = text;
    return asBuilder();
  }

  /** Sets the thread context key of the correlation id. Default: {@code correlationId}. */
  public EventLogAppenderBuilder setCorrelationIdKey(String text) {
    this.correlationIdKey = text;
    return asBuilder();
  }

  /** Sets the thread context key of the trace id. Default: {@code traceId}. */
  public EventLogAppenderBuilder setTraceIdKey(String text) {
    this.traceIdKey = text;
    return asBuilder();
  }

  /** Sets the thread context key of the span id. Default: {@code spanId}. */
  public EventLogAppenderBuilder setSpanIdKey(String text) {
    this.spanIdKey = text;
    return asBuilder();
  }

  /** Sets how many characters of a message are kept. Default: 32768. */
  public EventLogAppenderBuilder setMaxMessageLength(String text) {
    this.maxMessageLength = text;
    return asBuilder();
  }

  /** Sets how many characters of a stack trace are kept. Default: 16384. */
  public EventLogAppenderBuilder setMaxStackTraceLength(String text) {
    this.maxStackTraceLength = text;
    return asBuilder();
  }

  /** Sets names of fields whose values become {@code ***}, separated by commas. Default: none. */
  public EventLogAppenderBuilder setRedactFields(String text) {
    this.redactFields = text;
    return asBuilder();
  }
}
