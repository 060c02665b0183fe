package failover;

import failover.codec.ImmutableTypes;
import failover.expiry.Expiry;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A failover point: the name and the rules of calls whose answers are kept. Immutable.
 *
 * <pre>{@code
 * FailoverSpec<Price> price = FailoverSpec.builder("price", Price.class)
 *     .expiry(Duration.ofHours(6))
 *     .build();
 * }</pre>
 *
 * @param <T> what the calls answer
 */
public final class FailoverSpec<T> {
  private final String name;
  private final String domain;
  private final String method;
  private final Type type;
  private final boolean cannotChange;
  private final int schemaVersion;
  private final Expiry expiry;
  private final ExpiryPolicy expiryPolicy;
  private final @Nullable KeyGenerator keyGenerator;
  private final @Nullable Predicate<Throwable> recoverable;
  private final boolean keepsNulls;
  private final Duration pause;
  private final Duration longestPause;
  private final @Nullable Duration softTimeout;
  private final @Nullable Duration hardTimeout;

  FailoverSpec(FailoverSpecBuilder<T> builder) {
    this.name = builder.name;
    this.domain = builder.domain;
    this.method = builder.method;
    this.type = builder.type;
    this.cannotChange = ImmutableTypes.contains(type);
    this.schemaVersion = builder.schemaVersion;
    this.expiry = builder.expiry;
    this.expiryPolicy = builder.expiryPolicy;
    this.keyGenerator = builder.keyGenerator;
    this.recoverable = builder.recoverable();
    this.keepsNulls = builder.tombstones;
    this.pause = builder.pause;
    this.longestPause = builder.longestPause;
    this.softTimeout = builder.softTimeout;
    this.hardTimeout = builder.hardTimeout;
  }

  /**
   * Begins a point.
   *
   * @param name its name, of 1 to 50 characters
   * @param type what its calls answer
   */
  public static <T> FailoverSpecBuilder<T> builder(String name, Class<T> type) {
    return new FailoverSpecBuilder<>(name, type);
  }

  /**
   * Begins a point whose calls answer a generic type.
   *
   * @param name its name, of 1 to 50 characters
   * @param type what its calls answer
   */
  public static <T> FailoverSpecBuilder<T> builder(String name, TypeRef<T> type) {
    return new FailoverSpecBuilder<>(name, type.type());
  }

  /**
   * Begins a point whose type is known only at run time, as adapters do.
   *
   * @param name its name, of 1 to 50 characters
   * @param type what its calls answer
   */
  public static FailoverSpecBuilder<Object> ofType(String name, Type type) {
    return new FailoverSpecBuilder<>(name, type);
  }

  /** The name of the point. */
  public String name() {
    return name;
  }

  /** The name under which answers are kept: the domain, or the name if there is none. */
  public String effectiveName() {
    return domain.isBlank() ? name : domain;
  }

  /** The method it stands for, as {@code Type#method}; {@code unknown} where there is none. */
  public String method() {
    return method;
  }

  /** The type of answers, with its type arguments. */
  public Type type() {
    return type;
  }

  /** Whether its answers cannot change, by their type: they are kept by reference then. */
  public boolean cannotChange() {
    return cannotChange;
  }

  /** The version of the type; stored answers of another are as good as none. */
  public int schemaVersion() {
    return schemaVersion;
  }

  /** How long answers stay good. */
  public Expiry expiry() {
    return expiry;
  }

  /** What decides when an answer is too old. */
  public ExpiryPolicy expiryPolicy() {
    return expiryPolicy;
  }

  /** What makes keys, if not all arguments do. */
  public Optional<KeyGenerator> keyGenerator() {
    return Optional.ofNullable(keyGenerator);
  }

  /** Which failures may be recovered, if the point says so itself. */
  public Optional<Predicate<Throwable>> recoverable() {
    return Optional.ofNullable(recoverable);
  }

  /** Whether a live null takes the place of the stored answer. */
  public boolean tombstones() {
    return keepsNulls;
  }

  /** How long the source is left alone after a failure; zero for not at all. */
  public Duration pause() {
    return pause;
  }

  /** How long it is left alone after many failures. */
  public Duration longestPause() {
    return longestPause;
  }

  /** After which time a stored answer is given, if there is one. */
  public Optional<Duration> softTimeout() {
    return Optional.ofNullable(softTimeout);
  }

  /** After which time the call is given up. */
  public Optional<Duration> hardTimeout() {
    return Optional.ofNullable(hardTimeout);
  }

  @Override
  public String toString() {
    return "failover '%s' of %s".formatted(name, type.getTypeName());
  }
}
