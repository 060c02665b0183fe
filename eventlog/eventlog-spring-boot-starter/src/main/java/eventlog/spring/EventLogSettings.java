package eventlog.spring;

import eventlog.AsyncEventLogger;
import eventlog.AsyncEventLoggerBuilder;
import eventlog.HttpEventLogClient;
import eventlog.HttpEventLogClientBuilder;
import holdfast.spring.boot.PropertyChecks;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns properties into the settings of a logger and its client, or names all that is wrong with
 * them. Stateless.
 */
final class EventLogSettings {
  private static final long MOST_MB = Long.MAX_VALUE / SpilloverProperties.MB;

  /** Settings whose property has another unit; they are checked here. */
  private static final Set<String> IN_MEGABYTES =
      Set.of("maxSpilloverSizeBytes", "maxQuarantineSizeBytes");

  private EventLogSettings() {}

  /**
   * A builder with all properties applied.
   *
   * @throws holdfast.spring.boot.StartException if any property is out of range, naming all of them
   */
  static AsyncEventLoggerBuilder logger(EventLogProperties properties) {
    check(properties);
    return unchecked(properties);
  }

  /**
   * A builder for the client with all properties applied.
   *
   * @throws holdfast.spring.boot.StartException if any property is out of range, naming all of them
   */
  static HttpEventLogClientBuilder client(EventLogProperties properties) {
    check(properties);
    String baseUrl = String.valueOf(properties.getBaseUrl());
    HttpEventLogClientBuilder builder =
        HttpEventLogClient.builder(URI.create(baseUrl))
            .apiKeyHeader(properties.getApiKeyHeader())
            .allowClearText(properties.isAllowClearText())
            .connectTimeout(properties.getConnectTimeout())
            .requestTimeout(properties.getRequestTimeout())
            .gzipFromBytes(properties.getGzipFromBytes());
    String apiKey = properties.getApiKey();
    if (apiKey != null) {
      builder.apiKey(apiKey);
    }
    String token = properties.getBearerToken();
    if (token != null) {
      builder.bearerToken(() -> token);
    }
    return builder;
  }

  private static AsyncEventLoggerBuilder unchecked(EventLogProperties properties) {
    AsyncProperties async = properties.getAsync();
    AsyncEventLoggerBuilder builder = AsyncEventLogger.builder();
    if (async.getReplayBatchSize() != null) {
      builder.replayBatchSize(async.getReplayBatchSize());
    }
    return builder
        .registerShutdownHook(false) // EventLogShutdown does it, when the beans are done
        .queueCapacity(async.getQueueCapacity())
        .maxQueueBytes(async.getMaxQueueBytes())
        .maxRequestBytes(async.getMaxRequestBytes())
        .batchSize(async.getBatchSize())
        .maxBatchWait(async.getMaxBatchWait())
        .senderThreads(async.getSenderThreads())
        .virtualThreads(async.isVirtualThreads())
        .maxRetries(async.getMaxRetries())
        .baseRetryDelay(async.getBaseRetryDelay())
        .maxRetryDelay(async.getMaxRetryDelay())
        .circuitBreakerThreshold(async.getCircuitBreakerThreshold())
        .circuitBreakerReset(async.getCircuitBreakerReset())
        .closeTimeout(async.getCloseTimeout())
        .spilloverPath(path(async.getSpilloverPath()))
        .replayInterval(async.getReplayInterval())
        .maxReplayEventsPerSecond(async.getMaxReplayEventsPerSecond())
        .maxReplayTries(async.getMaxReplayTries())
        .maxSpilloverEvents(async.getMaxSpilloverEvents())
        .maxSpilloverSizeBytes(async.getMaxSpilloverSizeMb() * SpilloverProperties.MB)
        .maxQuarantineSizeBytes(async.getMaxQuarantineSizeMb() * SpilloverProperties.MB)
        .maxEntryBytes(async.getMaxEntryBytes())
        .forcePolicy(async.getForcePolicy())
        .forceInterval(async.getForceInterval());
  }

  private static @Nullable Path path(@Nullable String text) {
    try {
      return text == null || text.isBlank() ? null : Path.of(text);
    } catch (InvalidPathException e) {
      return null; // named by the check
    }
  }

  private static void check(EventLogProperties p) {
    PropertyChecks checks = new PropertyChecks("the event log", "eventlog");
    checkClient(checks, p);
    AsyncProperties async = p.getAsync();
    for (String problem : unchecked(p).problems()) {
      String setting = problem.substring(0, problem.indexOf(' '));
      if (!IN_MEGABYTES.contains(setting)) {
        checks.add("eventlog.async." + key(setting) + problem.substring(setting.length()));
      }
    }
    megabytes(checks, "max-spillover-size-mb", 1, async.getMaxSpilloverSizeMb());
    megabytes(checks, "max-quarantine-size-mb", 0, async.getMaxQuarantineSizeMb());
    String path = async.getSpilloverPath();
    checks.require(
        path == null || path.isBlank() || path(path) != null,
        "async.spillover-path",
        "be the path of a directory",
        path);
    int percent = p.getHealth().getNearlyFullPercent();
    checks.require(
        percent >= 1 && percent <= 100, "health.nearly-full-percent", "be from 1 to 100", percent);
    MdcProperties mdc = p.getMdc();
    Map.of(
            "correlation-id", mdc.getCorrelationId(),
            "span-id", mdc.getSpanId(),
            "trace-id", mdc.getTraceId())
        .forEach((name, key) -> checks.require(!key.isBlank(), "mdc." + name, "be a key", key));
    checks.require(
        p.getRedaction().getFields().stream().noneMatch(String::isBlank),
        "redaction.fields",
        "have no blank name",
        p.getRedaction().getFields());
    checks.throwIfAny();
  }

  private static void checkClient(PropertyChecks checks, EventLogProperties p) {
    String baseUrl = p.getBaseUrl();
    checks.require(
        baseUrl == null || isHttp(baseUrl),
        "base-url",
        "be an address that begins with http:// or https://",
        baseUrl);
    checks.positive("connect-timeout", p.getConnectTimeout());
    checks.positive("request-timeout", p.getRequestTimeout());
    checks.atLeast("gzip-from-bytes", 0, p.getGzipFromBytes());
    checks.require(
        !p.getApiKeyHeader().isBlank(), "api-key-header", "have a name", p.getApiKeyHeader());
  }

  private static boolean isHttp(String address) {
    try {
      URI uri = URI.create(address);
      return uri.getHost() != null && Set.of("http", "https").contains(uri.getScheme());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void megabytes(PropertyChecks checks, String name, long least, long actual) {
    checks.require(
        actual >= least && actual <= MOST_MB,
        "async." + name,
        "be from " + least + " to " + MOST_MB,
        actual);
  }

  /** The spelling of a setting as a property: queueCapacity is queue-capacity. */
  private static String key(String setting) {
    return setting.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
