package eventlog.spring;

import eventlog.HttpEventLogClientBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/** What can be set under {@code eventlog}. Not safe for use by many threads. */
@ConfigurationProperties("eventlog")
final class EventLogProperties {
  /** Whether there is an event log at all. */
  private boolean enabled = true;

  /** Where the Event Log API is, without /v1. */
  private @Nullable String baseUrl;

  /** The API key; none is sent unless set. */
  private @Nullable String apiKey;

  /** The header for the API key. */
  private String apiKeyHeader = HttpEventLogClientBuilder.DEFAULT_API_KEY_HEADER;

  /** A bearer token; none is sent unless set. */
  private @Nullable String bearerToken;

  /** Whether a key or token may be sent to another machine by http, where others can read it. */
  private boolean allowClearText;

  /** How long connecting may take. */
  private Duration connectTimeout = HttpEventLogClientBuilder.DEFAULT_CONNECT_TIMEOUT;

  /** How long a request may take, from connecting to the last byte of its answer. */
  private Duration requestTimeout = HttpEventLogClientBuilder.DEFAULT_REQUEST_TIMEOUT;

  /** From how many bytes on requests are compressed. */
  private int gzipFromBytes = HttpEventLogClientBuilder.DEFAULT_GZIP_FROM_BYTES;

  /** Who logs; the name of the application (spring.application.name) unless set. */
  private @Nullable String applicationId;

  /** The system that is called, where an event does not say; the application unless set. */
  private @Nullable String targetSystem;

  /** The system it all began in, where an event does not say; the application unless set. */
  private @Nullable String originatingSystem;

  @NestedConfigurationProperty private final AsyncProperties async = new AsyncProperties();

  @NestedConfigurationProperty private final MetricsProperties metrics = new MetricsProperties();

  @NestedConfigurationProperty private final HealthProperties health = new HealthProperties();

  @NestedConfigurationProperty private final MdcProperties mdc = new MdcProperties();

  @NestedConfigurationProperty
  private final RedactionProperties redaction = new RedactionProperties();

  public boolean isEnabled() {
    return enabled;
  }

  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  public @Nullable String getBaseUrl() {
    return baseUrl;
  }

  public void setBaseUrl(@Nullable String baseUrl) {
    this.baseUrl = baseUrl;
  }

  public @Nullable String getApiKey() {
    return apiKey;
  }

  public void setApiKey(@Nullable String apiKey) {
    this.apiKey = apiKey;
  }

  public String getApiKeyHeader() {
    return apiKeyHeader;
  }

  public void setApiKeyHeader(String apiKeyHeader) {
    this.apiKeyHeader = apiKeyHeader;
  }

  public @Nullable String getBearerToken() {
    return bearerToken;
  }

  public void setBearerToken(@Nullable String bearerToken) {
    this.bearerToken = bearerToken;
  }

  public boolean isAllowClearText() {
    return allowClearText;
  }

  public void setAllowClearText(boolean allowClearText) {
    this.allowClearText = allowClearText;
  }

  public Duration getConnectTimeout() {
    return connectTimeout;
  }

  public void setConnectTimeout(Duration connectTimeout) {
    this.connectTimeout = connectTimeout;
  }

  public Duration getRequestTimeout() {
    return requestTimeout;
  }

  public void setRequestTimeout(Duration requestTimeout) {
    this.requestTimeout = requestTimeout;
  }

  public int getGzipFromBytes() {
    return gzipFromBytes;
  }

  public void setGzipFromBytes(int gzipFromBytes) {
    this.gzipFromBytes = gzipFromBytes;
  }

  public @Nullable String getApplicationId() {
    return applicationId;
  }

  public void setApplicationId(@Nullable String applicationId) {
    this.applicationId = applicationId;
  }

  public @Nullable String getTargetSystem() {
    return targetSystem;
  }

  public void setTargetSystem(@Nullable String targetSystem) {
    this.targetSystem = targetSystem;
  }

  public @Nullable String getOriginatingSystem() {
    return originatingSystem;
  }

  public void setOriginatingSystem(@Nullable String originatingSystem) {
    this.originatingSystem = originatingSystem;
  }

  public AsyncProperties getAsync() {
    return async;
  }

  public MetricsProperties getMetrics() {
    return metrics;
  }

  public HealthProperties getHealth() {
    return health;
  }

  public MdcProperties getMdc() {
    return mdc;
  }

  public RedactionProperties getRedaction() {
    return redaction;
  }
}
