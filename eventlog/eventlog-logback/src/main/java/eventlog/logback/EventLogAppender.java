package eventlog.logback;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import eventlog.appender.AppenderReport;
import eventlog.appender.AppenderSettings;
import eventlog.appender.LineAppender;
import holdfast.ledger.LedgerSnapshot;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends log lines to the Event Log API or an OpenTelemetry collector, without ever making a thread
 * that logs wait. While lines cannot be sent and a {@code spilloverPath} is set, they go to disk
 * and are sent from there later.
 *
 * <pre>{@code
 * <appender name="EVENTLOG" class="eventlog.logback.EventLogAppender">
 *   <baseUri>https://events.example.com</baseUri>
 *   <applicationId>shop</applicationId>
 *   <spilloverPath>/var/spool/shop</spilloverPath>
 * </appender>
 * }</pre>
 *
 * <p>All settings are texts, which are checked when the appender starts: a mistake is an error
 * among Logback's status messages, and the application goes on without the appender. Times are
 * written as {@code 500 ms}, {@code 10 s} or {@code PT10S}, sizes as {@code 64 MiB}.
 *
 * <p>Lines that logging an event causes are left out: those of the loggers {@code eventlog}, {@code
 * holdfast} and of the JDK's HTTP client, and those of threads whose names begin with {@code
 * eventlog-}.
 *
 * <p>Safe for use by many threads, except for its settings.
 */
public final class EventLogAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private final AppenderSettings settings = new AppenderSettings();
  private volatile @Nullable LineAppender lines;

  /** An appender with nothing set; Logback makes it. */
  public EventLogAppender() {}

  @Override
  public void start() {
    if (isStarted()) {
      return;
    }
    try {
      lines = settings.start(new StatusReport());
      super.start();
    } catch (IllegalArgumentException e) {
      addError(
          e.getMessage() + "; the appender does not start, and lines are not sent: correct it", e);
    }
  }

  /**
   * Takes no more lines, sends what it can within {@code closeTimeout}, writes the rest to disk,
   * and adds the ledger to the status messages.
   */
  @Override
  public void stop() {
    if (!isStarted()) {
      return;
    }
    super.stop();
    LineAppender running = lines;
    if (running != null) {
      running.stop();
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    LineAppender running = lines;
    if (running != null && !running.excludes(event.getLoggerName(), event.getThreadName())) {
      running.append(Lines.of(event, running));
    }
  }

  /**
   * Returns the ledger of the lines: accepted + recoveredAtStartup = delivered + held + lost.
   *
   * @return the ledger; empty if the appender never started
   */
  public Optional<LedgerSnapshot> ledger() {
    return Optional.ofNullable(lines).map(LineAppender::ledger);
  }

  /** Returns how many lines were left out because logging an event caused them. */
  public long excludedLines() {
    LineAppender running = lines;
    return running == null ? 0 : running.excludedLines();
  }

  /** Logback's status messages. */
  private final class StatusReport implements AppenderReport {
    @Override
    public void info(String message) {
      addInfo(message);
    }

    @Override
    public void warn(String message) {
      addWarn(message);
    }
  }

  /** Sets where events are sent to: the Event Log API, or an OpenTelemetry collector. Required. */
  public void setBaseUri(String text) {
    settings.set("baseUri", text);
  }

  /**
   * Sets how events are sent: {@code eventlog}, or with {@code eventlog-otlp} {@code http/protobuf}
   * or {@code http/json}. Default: {@code eventlog}.
   */
  public void setProtocol(String text) {
    settings.set("protocol", text);
  }

  /** Sets the API key. Default: none. */
  public void setApiKey(String text) {
    settings.set("apiKey", text);
  }

  /** Sets the header for the API key. Default: {@code X-API-Key}. */
  public void setApiKeyHeader(String text) {
    settings.set("apiKeyHeader", text);
  }

  /** Sets a token that is sent with each request. Default: none. */
  public void setBearerToken(String text) {
    settings.set("bearerToken", text);
  }

  /**
   * Sets whether a key or token may be sent to another machine by {@code http:}. Default: false.
   */
  public void setAllowClearText(String text) {
    settings.set("allowClearText", text);
  }

  /** Sets how long connecting may take. Default: 5 s. */
  public void setConnectTimeout(String text) {
    settings.set("connectTimeout", text);
  }

  /** Sets how long a request may take, to the last byte of its answer. Default: 10 s. */
  public void setRequestTimeout(String text) {
    settings.set("requestTimeout", text);
  }

  /** Sets from how many bytes on requests are compressed. Default: 8192. */
  public void setGzipFromBytes(String text) {
    settings.set("gzipFromBytes", text);
  }

  /** Sets the name of the application. Required. */
  public void setApplicationId(String text) {
    settings.set("applicationId", text);
  }

  /** Sets the field {@code targetSystem} of events. Default: the application. */
  public void setTargetSystem(String text) {
    settings.set("targetSystem", text);
  }

  /** Sets the field {@code originatingSystem} of events. Default: the application. */
  public void setOriginatingSystem(String text) {
    settings.set("originatingSystem", text);
  }

  /** Sets the MDC key of the correlation id. Default: {@code correlationId}. */
  public void setCorrelationIdKey(String text) {
    settings.set("correlationIdKey", text);
  }

  /** Sets the MDC key of the trace id. Default: {@code traceId}. */
  public void setTraceIdKey(String text) {
    settings.set("traceIdKey", text);
  }

  /** Sets the MDC key of the span id. Default: {@code spanId}. */
  public void setSpanIdKey(String text) {
    settings.set("spanIdKey", text);
  }

  /** Sets how many characters of a message are kept. Default: 32768. */
  public void setMaxMessageLength(String text) {
    settings.set("maxMessageLength", text);
  }

  /** Sets how many characters of a stack trace are kept. Default: 16384. */
  public void setMaxStackTraceLength(String text) {
    settings.set("maxStackTraceLength", text);
  }

  /** Sets names of fields whose values become {@code ***}, separated by commas. Default: none. */
  public void setRedactFields(String text) {
    settings.set("redactFields", text);
  }

  /** Sets the directory for events that cannot be sent. Default: none, they are lost. */
  public void setSpilloverPath(String text) {
    settings.set("spilloverPath", text);
  }

  /** Sets how many events may wait in memory. Default: 10000. */
  public void setQueueCapacity(String text) {
    settings.set("queueCapacity", text);
  }

  /** Sets how many bytes of memory events may take that wait. Default: 64 MiB. */
  public void setMaxQueueBytes(String text) {
    settings.set("maxQueueBytes", text);
  }

  /** Sets how many bytes of JSON one request carries at most. Default: 4 MiB. */
  public void setMaxRequestBytes(String text) {
    settings.set("maxRequestBytes", text);
  }

  /** Sets how many events one request carries at most. Default: 50. */
  public void setBatchSize(String text) {
    settings.set("batchSize", text);
  }

  /** Sets how long to wait for a batch to fill. Default: 100 ms. */
  public void setMaxBatchWait(String text) {
    settings.set("maxBatchWait", text);
  }

  /** Sets how many threads send. Default: 4. */
  public void setSenderThreads(String text) {
    settings.set("senderThreads", text);
  }

  /** Sets whether senders are virtual threads where the JDK has them. Default: false. */
  public void setVirtualThreads(String text) {
    settings.set("virtualThreads", text);
  }

  /** Sets how often a failed event is tried again. Default: 3. */
  public void setMaxRetries(String text) {
    settings.set("maxRetries", text);
  }

  /** Sets the wait after the first failure; it doubles with each. Default: 1 s. */
  public void setBaseRetryDelay(String text) {
    settings.set("baseRetryDelay", text);
  }

  /** Sets the longest wait after a failure. Default: 30 s. */
  public void setMaxRetryDelay(String text) {
    settings.set("maxRetryDelay", text);
  }

  /** Sets how many requests in a row must fail to open the breaker. Default: 5. */
  public void setCircuitBreakerThreshold(String text) {
    settings.set("circuitBreakerThreshold", text);
  }

  /** Sets how long the breaker stays open. Default: 30 s. */
  public void setCircuitBreakerReset(String text) {
    settings.set("circuitBreakerReset", text);
  }

  /** Sets how many events may be on disk. Default: 10000. */
  public void setMaxSpilloverEvents(String text) {
    settings.set("maxSpilloverEvents", text);
  }

  /** Sets how many bytes may be on disk, such as {@code 2 GiB}. Default: 50 MiB. */
  public void setMaxSpilloverSizeBytes(String text) {
    settings.set("maxSpilloverSizeBytes", text);
  }

  /** Sets how many bytes the quarantine may have. Default: 10 MiB. */
  public void setMaxQuarantineSizeBytes(String text) {
    settings.set("maxQuarantineSizeBytes", text);
  }

  /** Sets how many bytes one event may have as JSON. Default: 1 MiB. */
  public void setMaxEntryBytes(String text) {
    settings.set("maxEntryBytes", text);
  }

  /** Sets the pause between two polls of the disk. Default: 10 s. */
  public void setReplayInterval(String text) {
    settings.set("replayInterval", text);
  }

  /** Sets how many events from disk one request carries. Default: ten times batchSize. */
  public void setReplayBatchSize(String text) {
    settings.set("replayBatchSize", text);
  }

  /** Sets how fast events from disk are sent at most. Default: 10000. */
  public void setMaxReplayEventsPerSecond(String text) {
    settings.set("maxReplayEventsPerSecond", text);
  }

  /** Sets how often an event from disk may fail alone before it is set aside. Default: 5. */
  public void setMaxReplayTries(String text) {
    settings.set("maxReplayTries", text);
  }

  /** Sets when the file on disk is fsynced: NEVER, INTERVAL or EACH_BATCH. Default: INTERVAL. */
  public void setForcePolicy(String text) {
    settings.set("forcePolicy", text);
  }

  /** Sets how long after writing the file is fsynced, under INTERVAL. Default: 1 s. */
  public void setForceInterval(String text) {
    settings.set("forceInterval", text);
  }

  /** Sets the time for sending what is left when the appender stops. Default: 10 s. */
  public void setCloseTimeout(String text) {
    settings.set("closeTimeout", text);
  }

  /**
   * Sets whether the appender stops by itself when the JVM ends. Default: true. With false somebody
   * must stop Logback, as Spring Boot does.
   */
  public void setRegisterShutdownHook(String text) {
    settings.set("registerShutdownHook", text);
  }
}
