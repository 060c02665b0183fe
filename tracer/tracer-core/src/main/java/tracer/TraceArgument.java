package tracer;

import java.util.Objects;

/**
 * The name and type of one value of a {@link TraceEvent}.
 *
 * @param name from 1 to 256 characters, not all blank
 * @param type what the value is
 */
public record TraceArgument(String name, ArgumentType type) {

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the name is blank or too long
   */
  public TraceArgument {
    Objects.requireNonNull(type, "type");
    if (name.isBlank() || name.length() > TraceEvent.LONGEST_NAME) {
      throw new IllegalArgumentException(
          "the name of an argument must have from 1 to "
              + TraceEvent.LONGEST_NAME
              + " characters, not all blank, but was '"
              + name.substring(0, Math.min(TraceEvent.LONGEST_NAME, name.length()))
              + "'");
    }
  }

  @Override
  public String toString() {
    return name + " " + type;
  }
}
