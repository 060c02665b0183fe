package failover.proxy.annotations;

import failover.Failover;
import failover.expiry.Expiry;
import java.math.BigInteger;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the times of an annotation, whose expressions win over its plain values. Immutable.
 *
 * <p>An expression is a text in which {@code ${name}} and {@code ${name:otherwise}} stand for
 * values that come from outside.
 */
public final class ExpiryExpressions {
  private static final Pattern SIMPLE = Pattern.compile("(\\d+)\\s*([mM][sS]|[sSmMhHdD])");

  private final UnaryOperator<String> resolver;

  /**
   * Expressions of which somebody else fills in the placeholders.
   *
   * @param resolver gives the text with all values filled in; throws if one is unknown
   */
  public ExpiryExpressions(UnaryOperator<String> resolver) {
    this.resolver = resolver;
  }

  /**
   * The expiry of a point.
   *
   * @throws IllegalArgumentException if an expression gives no number or no unit
   */
  public Expiry expiryOf(Failover annotation) {
    Optional<Duration> text = durationOf(annotation, "expiry", annotation.expiry());
    if (text.isPresent()) {
      return expiry(annotation, () -> Expiry.of(text.get()));
    }
    long amount = amount(annotation);
    ChronoUnit unit = unit(annotation);
    return expiry(annotation, () -> new Expiry(amount, unit));
  }

  private static Expiry expiry(Failover annotation, Supplier<Expiry> expiry) {
    try {
      return expiry.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "failover '%s': %s".formatted(annotation.name(), e.getMessage()), e);
    }
  }

  private String filledIn(Failover annotation, String attribute, String expression) {
    try {
      return resolver.apply(expression).strip();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s of failover '%s': %s".formatted(attribute, annotation.name(), e.getMessage()), e);
    }
  }

  private long amount(Failover annotation) {
    String expression = annotation.expiryDurationExpression();
    if (expression.isBlank()) {
      return annotation.expiryDuration();
    }
    String text = filledIn(annotation, "expiryDurationExpression", expression);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "expiryDurationExpression of failover '%s' must give a whole number but '%s' gave '%s'"
              .formatted(annotation.name(), expression, text),
          e);
    }
  }

  private ChronoUnit unit(Failover annotation) {
    String expression = annotation.expiryUnitExpression();
    if (expression.isBlank()) {
      return annotation.expiryUnit();
    }
    String text = filledIn(annotation, "expiryUnitExpression", expression).toUpperCase(Locale.ROOT);
    try {
      return ChronoUnit.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "expiryUnitExpression of failover '%s' must give a unit such as HOURS but '%s' gave '%s'"
              .formatted(annotation.name(), expression, text),
          e);
    }
  }

  /**
   * The length of time that an attribute gives, such as {@code 300ms}, {@code 2s}, {@code 5m},
   * {@code 1h} or {@code PT0.3S}.
   *
   * @param annotation whose attribute it is
   * @param attribute its name, for the error message
   * @param expression its text
   * @return nothing if the text is blank
   * @throws IllegalArgumentException if it is no length of time
   */
  public Optional<Duration> durationOf(Failover annotation, String attribute, String expression) {
    if (expression.isBlank()) {
      return Optional.empty();
    }
    String text = filledIn(annotation, attribute, expression);
    try {
      return Optional.of(parse(text));
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "%s of failover '%s' must give a length of time such as 300ms but '%s' gave '%s'"
              .formatted(attribute, annotation.name(), expression, text),
          e);
    }
  }

  private static Duration parse(String text) {
    Matcher simple = SIMPLE.matcher(text);
    if (!simple.matches()) {
      return Duration.parse(text);
    }
    BigInteger amount = new BigInteger(simple.group(1));
    return switch (simple.group(2).toLowerCase(Locale.ROOT)) {
      case "ms" -> Duration.ofMillis(amount.longValueExact());
      case "s" -> Duration.ofSeconds(amount.longValueExact());
      case "m" -> Duration.ofMinutes(amount.longValueExact());
      case "h" -> Duration.ofHours(amount.longValueExact());
      default -> Duration.ofDays(amount.longValueExact());
    };
  }
}
