package holdfast.problems;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mistakes found in one configuration, reported together.
 *
 * <pre>{@code
 * new Problems("AsyncEventLogger")
 *     .require(capacity > 0, "queueCapacity", "be 1 or more", capacity)
 *     .require(retries >= 0, "maxRetries", "be 0 or more", retries)
 *     .throwIfAny();
 * }</pre>
 *
 * <p>Not safe for use by many threads.
 */
public final class Problems {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final String subject;
  private final List<String> found = new ArrayList<>();

  /**
   * Starts with no problem found.
   *
   * @param subject what is being configured, the first word of the message
   */
  public Problems(String subject) {
    this.subject = subject;
  }

  /**
   * Notes a problem unless the condition holds.
   *
   * @param holds whether the setting is as it must be
   * @param setting the setting's name, as the user writes it
   * @param rule what must hold, to be read after "must": {@code "be 1 or more"}
   * @param actual what was found; texts are shown in quotes
   * @return this
   */
  public Problems require(boolean holds, String setting, String rule, @Nullable Object actual) {
    if (!holds) {
      found.add(setting + " must " + rule + " but was " + shown(actual));
    }
    return this;
  }

  /**
   * Notes a problem unless the time is more than zero and a century or less.
   *
   * @param setting the setting's name, as the user writes it
   * @param actual what was found; null if the setting may be left out and was
   * @return this
   */
  public Problems requirePositive(String setting, @Nullable Duration actual) {
    boolean positive = actual == null || actual.compareTo(Duration.ZERO) > 0;
    return require(positive, setting, "be more than zero", actual)
        .requireNotTooLong(setting, actual);
  }

  /**
   * Notes a problem unless the time is zero or more and a century or less.
   *
   * @param setting the setting's name, as the user writes it
   * @param actual what was found; null if the setting may be left out and was
   * @return this
   */
  public Problems requireZeroOrMore(String setting, @Nullable Duration actual) {
    boolean zeroOrMore = actual == null || !actual.isNegative();
    return require(zeroOrMore, setting, "be zero or more", actual)
        .requireNotTooLong(setting, actual);
  }

  private Problems requireNotTooLong(String setting, @Nullable Duration actual) {
    boolean inRange = actual == null || actual.compareTo(LONGEST) <= 0;
    return require(inRange, setting, "be 100 years or less", actual);
  }

  /**
   * Notes a problem unless the number is 1 or more, and no more than makes sense.
   *
   * @param setting the setting's name, as the user writes it
   * @param most the largest number that is allowed
   * @param actual what was found
   * @return this
   */
  public Problems requireCount(String setting, long most, long actual) {
    return require(actual >= 1, setting, "be 1 or more", actual)
        .require(actual <= most, setting, "be " + most + " or less", actual);
  }

  /**
   * Notes a problem that no single setting explains.
   *
   * @param problem what must hold, what was found and how to fix it
   * @return this
   */
  public Problems add(String problem) {
    found.add(problem);
    return this;
  }

  /** The problems found so far, in the order they were found. */
  public List<String> found() {
    return List.copyOf(found);
  }

  /**
   * Ends the checks.
   *
   * @throws IllegalArgumentException if any problem was found, naming all of them
   */
  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw new IllegalArgumentException(subject + ": " + String.join("; ", found));
    }
  }

  private static String shown(@Nullable Object actual) {
    return actual instanceof CharSequence text ? "'" + text + "'" : String.valueOf(actual);
  }
}
