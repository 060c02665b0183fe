package holdfast.jackson;

import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Says why Jackson could not read a payload, in which field or at which position, without any of
 * the data. Stateless.
 */
final class Reasons {
  private Reasons() {}

  static String of(JacksonException failure) {
    if (failure instanceof StreamReadException) {
      TokenStreamLocation at = failure.getLocation();
      return "it is not JSON"
          + (at == null
              ? ""
              : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr()));
    }
    if (failure instanceof ValueInstantiationException made) {
      Throwable cause = made.getCause();
      return "the constructor of %s for %s threw %s"
          .formatted(
              made.getType().getRawClass().getName(),
              field(failure),
              cause == null ? "an exception" : cause.getClass().getName());
    }
    if (failure instanceof InvalidDefinitionException definition) {
      return "Jackson cannot make a %s for %s; give it a constructor that Jackson can use"
          .formatted(definition.getType().getRawClass().getName(), field(failure));
    }
    if (failure instanceof MismatchedInputException mismatched
        && mismatched.getTargetType() != null) {
      return "%s is no %s".formatted(field(failure), mismatched.getTargetType().getName());
    }
    return "%s has a value that does not fit".formatted(field(failure));
  }

  /** The path of the field, such as {@code lines[2].price}; keys of maps are data. */
  static String field(JacksonException failure) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : failure.getPath()) {
      if (step.from() instanceof Map) {
        path.append("[key]");
      } else if (step.getPropertyName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
      }
    }
    return path.isEmpty() ? "the payload" : "field " + path;
  }
}
