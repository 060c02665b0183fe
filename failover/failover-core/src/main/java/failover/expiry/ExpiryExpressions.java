package failover.expiry;

import failover.Failover;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Reads the expiry of an annotation, whose expressions win over its plain values. Immutable.
 *
 * <p>An expression is a text in which {@code ${name}} and {@code ${name:otherwise}} stand for
 * values that come from outside.
 */
public final class ExpiryExpressions {
  private final UnaryOperator<String> resolver;

  /**
   * Expressions of which somebody else fills in the placeholders.
   *
   * @param resolver gives the text with all values filled in; throws if one is unknown
   */
  public ExpiryExpressions(UnaryOperator<String> resolver) {
    this.resolver = resolver;
  }

  /** Expressions whose values are system properties. */
  public static ExpiryExpressions ofSystemProperties() {
    return new ExpiryExpressions(new Placeholders(System::getProperty)::fillIn);
  }

  /**
   * The expiry of a point.
   *
   * @throws IllegalArgumentException if an expression gives no number or no unit
   */
  public Expiry expiryOf(Failover annotation) {
    return new Expiry(amount(annotation), unit(annotation));
  }

  private long amount(Failover annotation) {
    String expression = annotation.expiryDurationExpression();
    if (expression.isBlank()) {
      return annotation.expiryDuration();
    }
    String text = resolver.apply(expression).strip();
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
    String text = resolver.apply(expression).strip().toUpperCase(Locale.ROOT);
    try {
      return ChronoUnit.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "expiryUnitExpression of failover '%s' must give a unit such as HOURS but '%s' gave '%s'"
              .formatted(annotation.name(), expression, text),
          e);
    }
  }
}
