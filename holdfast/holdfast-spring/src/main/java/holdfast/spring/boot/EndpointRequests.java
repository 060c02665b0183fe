package holdfast.spring.boot;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** Refuses what an endpoint is asked and cannot do, in an answer that says what it could. */
public final class EndpointRequests {

  private static final System.Logger LOG = LibraryLogger.of("holdfast.spring");

  private EndpointRequests() {}

  /**
   * How many are meant.
   *
   * @param asked what was asked for, if anything was
   * @param usual how many otherwise
   * @param most how many at most
   * @throws InvalidEndpointRequestException if it is below one or above the most
   */
  public static int limit(@Nullable Integer asked, int usual, int most) {
    int limit = asked == null ? usual : asked;
    if (limit < 1 || limit > most) {
      throw refused("limit must be 1 to " + most + " but was " + limit);
    }
    return limit;
  }

  /**
   * Requires one of several words.
   *
   * @param what what the word says: {@code "the action"}
   * @param found the word
   * @param known those there are
   * @throws InvalidEndpointRequestException if it is another
   */
  public static void oneOf(String what, String found, String... known) {
    if (!List.of(known).contains(found)) {
      throw refused(what + " must be " + String.join(" or ", known) + " but was '" + found + "'");
    }
  }

  /**
   * Requires an age.
   *
   * @param name the parameter's name
   * @param age what was asked for
   * @return the age
   * @throws InvalidEndpointRequestException if it is missing or below zero
   */
  public static Duration age(String name, @Nullable Duration age) {
    if (age == null) {
      throw refused(name + " must be given but was missing; for example " + name + "=30d");
    }
    if (age.isNegative()) {
      throw refused(name + " must be zero or more but was " + age);
    }
    return age;
  }

  /**
   * What to throw when a request is refused. Spring Boot puts the reason into the answer where
   * {@code spring.web.error.include-message} allows; so it is in the log too.
   */
  public static InvalidEndpointRequestException refused(String why) {
    LOG.log(WARNING, "Actuator request refused: " + why);
    return new InvalidEndpointRequestException(why, why);
  }
}
