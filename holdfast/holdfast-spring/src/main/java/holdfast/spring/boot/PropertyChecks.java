package holdfast.spring.boot;

import holdfast.problems.Problems;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds all that is wrong with the properties of a library, by their keys, before anything is made
 * of them.
 *
 * <pre>{@code
 * PropertyChecks checks = new PropertyChecks("the outbox", "outbox");
 * checks.atLeast("workers", 1, properties.workers());
 * checks.positive("lease.renew-every", properties.lease().renewEvery());
 * checks.throwIfAny();
 * }</pre>
 *
 * <p>Not safe for use by many threads.
 */
public final class PropertyChecks {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final String library;
  private final String prefix;
  private final Problems problems;

  /**
   * Starts with nothing found.
   *
   * @param library what has the properties, to be read in a sentence: {@code "the outbox"}
   * @param key the first word of all their keys
   */
  public PropertyChecks(String library, String key) {
    this.library = library;
    this.prefix = key + ".";
    this.problems = new Problems(library);
  }

  /**
   * Notes a problem unless the condition holds.
   *
   * @param holds whether the property is as it must be
   * @param key its key without the first word
   * @param rule what must hold, to be read after "must": {@code "be 1 or more"}
   * @param actual what was found
   * @return whether it holds
   */
  public boolean require(boolean holds, String key, String rule, @Nullable Object actual) {
    problems.require(holds, prefix + key, rule, actual);
    return holds;
  }

  /** Notes what no single rule says, as it is. */
  public void add(String problem) {
    problems.add(problem);
  }

  /** A number that must not be below another. */
  public boolean atLeast(String key, long least, long actual) {
    return require(actual >= least, key, "be " + least + " or more", actual);
  }

  /** A time in milliseconds that must not be below another, and a century or less. */
  public boolean millis(String key, long least, long actual) {
    long most = LONGEST.toMillis();
    return atLeast(key, least, actual)
        && require(actual <= most, key, "be " + most + " (a century) or less", actual);
  }

  /** A time that must be a millisecond or more, and a century or less. */
  public boolean atLeastOneMilli(String key, Duration actual) {
    boolean holds = !actual.isNegative() && actual.toMillis() >= 1;
    return require(holds, key, "be 1 ms or more", actual) && notTooLong(key, actual);
  }

  /** A time that must be more than zero, and a century or less. */
  public boolean positive(String key, Duration actual) {
    boolean holds = !actual.isNegative() && !actual.isZero();
    return require(holds, key, "be more than zero", actual) && notTooLong(key, actual);
  }

  /** A time that, if it is set, must be zero or more, and a century or less. */
  public boolean notNegative(String key, @Nullable Duration actual) {
    return actual == null
        || (require(!actual.isNegative(), key, "be zero or more", actual)
            && notTooLong(key, actual));
  }

  /** Longer times cannot be counted in nanoseconds, or lie before what databases know. */
  public boolean notTooLong(String key, Duration actual) {
    return require(actual.compareTo(LONGEST) <= 0, key, "be a century or less", actual);
  }

  /** A name that, if it is set, must not be blank, nor longer than a column. */
  public boolean name(String key, int longest, @Nullable String actual) {
    return require(
        actual == null || (!actual.isBlank() && actual.length() <= longest),
        key,
        "have 1 to " + longest + " characters",
        actual);
  }

  /**
   * A property that is checked where it is used.
   *
   * @param key its key without the first word
   * @param use throws {@link IllegalArgumentException} if it is not as it must be
   */
  public void accepted(String key, Runnable use) {
    try {
      use.run();
    } catch (IllegalArgumentException e) {
      problems.add(prefix + key + ": " + e.getMessage());
    }
  }

  /**
   * Ends the checks.
   *
   * @throws StartException if anything was found, naming all of it
   */
  public void throwIfAny() {
    List<String> found = problems.found();
    if (!found.isEmpty()) {
      throw new StartException(
          "the properties of " + library + " are out of range: " + String.join("; ", found),
          "correct the settings of " + library);
    }
  }
}
