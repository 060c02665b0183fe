package eventlog.appender;

import eventlog.AsyncEventLogger;
import eventlog.AsyncEventLoggerBuilder;
import eventlog.ForcePolicy;
import eventlog.spi.EventLogClient;
import eventlog.spi.Redaction;
import holdfast.problems.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an appender, as the texts of a configuration file. Their names are those of the
 * builders {@link AsyncEventLoggerBuilder} and {@link eventlog.HttpEventLogClientBuilder}. Not safe
 * for use by many threads.
 */
public final class AppenderSettings {
  /** The default of maxMessageLength: {@value} characters. */
  public static final int DEFAULT_MAX_MESSAGE_LENGTH = 32 * 1024;

  /** The default of maxStackTraceLength: {@value} characters. */
  public static final int DEFAULT_MAX_STACK_TRACE_LENGTH = 16 * 1024;

  private static final int MOST_LENGTH = 64 * 1024 * 1024;

  private final Map<String, String> given = new LinkedHashMap<>();

  /** Settings with nothing set. */
  public AppenderSettings() {}

  /**
   * Sets a setting; replaces what was set before.
   *
   * @param name its name
   * @param text its value as text; null leaves it as it is
   * @return this
   */
  public AppenderSettings set(String name, @Nullable String text) {
    if (text != null) {
      given.put(name, text);
    }
    return this;
  }

  /** What an appender is made of; its client is to be closed. */
  private record Parts(
      LineEvents events,
      AsyncEventLoggerBuilder logger,
      EventLogClient client,
      Duration closeTimeout) {}

  /**
   * Checks the settings and starts nothing.
   *
   * @param report where it reports to
   * @throws IllegalArgumentException if settings are missing or out of range, naming all of them
   */
  public void check(AppenderReport report) {
    LineAppender.close(parts(report).client(), report);
  }

  /**
   * Checks the settings and starts the appender.
   *
   * @param report where it reports to
   * @return the appender, to be stopped
   * @throws IllegalArgumentException if settings are missing or out of range, naming all of them
   */
  public LineAppender start(AppenderReport report) {
    Parts parts = parts(report);
    return new LineAppender(
        parts.events(), parts.logger(), parts.client(), parts.closeTimeout(), report);
  }

  private Parts parts(AppenderReport report) {
    Problems problems = new Problems("EventLogAppender");
    SettingTexts texts = new SettingTexts(given, problems);
    AsyncEventLoggerBuilder logger = logger(texts);
    logger.problems().forEach(problems::add);
    LineEvents events = new LineEvents(lines(texts, problems));
    EventLogClient client = client(texts, problems);
    if (client != null && !problems.found().isEmpty()) {
      LineAppender.close(client, report);
    }
    problems.throwIfAny();
    Duration closeTimeout = texts.time("closeTimeout");
    return new Parts(
        events,
        logger,
        Objects.requireNonNull(client, "client"),
        closeTimeout == null ? AsyncEventLoggerBuilder.DEFAULT_CLOSE_TIMEOUT : closeTimeout);
  }

  private AsyncEventLoggerBuilder logger(SettingTexts texts) {
    AsyncEventLoggerBuilder b = AsyncEventLogger.builder();
    texts.path("spilloverPath", b::spilloverPath);
    texts.number("queueCapacity", b::queueCapacity);
    texts.size("maxQueueBytes", b::maxQueueBytes);
    texts.number("batchSize", b::batchSize);
    texts.size("maxRequestBytes", size -> b.maxRequestBytes(inInt(size)));
    texts.time("maxBatchWait", b::maxBatchWait);
    texts.number("senderThreads", b::senderThreads);
    b.virtualThreads(texts.truth("virtualThreads", false));
    texts.number("maxRetries", b::maxRetries);
    texts.time("baseRetryDelay", b::baseRetryDelay);
    texts.time("maxRetryDelay", b::maxRetryDelay);
    texts.number("circuitBreakerThreshold", b::circuitBreakerThreshold);
    texts.time("circuitBreakerReset", b::circuitBreakerReset);
    texts.size("maxSpilloverEvents", b::maxSpilloverEvents);
    texts.size("maxSpilloverSizeBytes", b::maxSpilloverSizeBytes);
    texts.size("maxQuarantineSizeBytes", b::maxQuarantineSizeBytes);
    texts.size("maxEntryBytes", size -> b.maxEntryBytes(inInt(size)));
    texts.time("replayInterval", b::replayInterval);
    texts.number("replayBatchSize", b::replayBatchSize);
    texts.number("maxReplayEventsPerSecond", b::maxReplayEventsPerSecond);
    texts.number("maxReplayTries", b::maxReplayTries);
    texts.choice("forcePolicy", ForcePolicy.class, b::forcePolicy);
    texts.time("forceInterval", b::forceInterval);
    texts.time("closeTimeout", b::closeTimeout);
    b.registerShutdownHook(texts.truth("registerShutdownHook", true));
    List<String> redacted = texts.list("redactFields");
    if (!redacted.isEmpty()) {
      b.redaction(Redaction.ofFields(redacted));
    }
    return b;
  }

  private static int inInt(long size) {
    return (int) Math.min(Integer.MAX_VALUE, size);
  }

  private static LineEvents.Settings lines(SettingTexts texts, Problems problems) {
    String application = texts.required("applicationId", "set the name of the application");
    int messageLength = texts.number("maxMessageLength", DEFAULT_MAX_MESSAGE_LENGTH);
    int stackTraceLength = texts.number("maxStackTraceLength", DEFAULT_MAX_STACK_TRACE_LENGTH);
    problems.requireCount("maxMessageLength", MOST_LENGTH, messageLength);
    problems.requireCount("maxStackTraceLength", MOST_LENGTH, stackTraceLength);
    return new LineEvents.Settings(
        application,
        texts.text("targetSystem", application),
        texts.text("originatingSystem", application),
        texts.text("correlationIdKey", "correlationId"),
        texts.text("traceIdKey", "traceId"),
        texts.text("spanIdKey", "spanId"),
        messageLength,
        stackTraceLength);
  }

  /** The client; null if its settings have problems, which are noted. */
  private static @Nullable EventLogClient client(SettingTexts texts, Problems problems) {
    int others = problems.found().size();
    ClientSettings settings = clientSettings(texts);
    AppenderClientProvider provider = provider(settings.protocol(), problems);
    if (problems.found().size() > others) {
      return null;
    }
    try {
      return provider.create(settings);
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static ClientSettings clientSettings(SettingTexts texts) {
    return new ClientSettings(
        texts.text("protocol", HttpClientProvider.PROTOCOL),
        texts.address("baseUri", "set the address that events are sent to"),
        texts.text("apiKey"),
        texts.text("apiKeyHeader"),
        texts.text("bearerToken"),
        texts.truth("allowClearText", false),
        texts.time("connectTimeout"),
        texts.time("requestTimeout"),
        texts.number("gzipFromBytes"));
  }

  private static AppenderClientProvider provider(String protocol, Problems problems) {
    List<AppenderClientProvider> known = new ArrayList<>(List.of(new HttpClientProvider()));
    ServiceLoader.load(AppenderClientProvider.class, AppenderClientProvider.class.getClassLoader())
        .forEach(known::add);
    Optional<AppenderClientProvider> found =
        known.stream().filter(provider -> provider.protocols().contains(protocol)).findFirst();
    if (found.isEmpty()) {
      problems.add(
          ("protocol must be one of %s but was '%s'; for http/protobuf and http/json add"
                  + " io.holdfast:eventlog-otlp to the class path")
              .formatted(
                  known.stream().flatMap(p -> p.protocols().stream()).sorted().toList(), protocol));
    }
    return found.orElse(known.get(0));
  }
}
