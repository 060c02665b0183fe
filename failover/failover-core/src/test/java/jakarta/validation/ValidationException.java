package jakarta.validation;

/** Looks like the root of the validation's exceptions. */
public class ValidationException extends RuntimeException {
  private static final long serialVersionUID = 1;
}
