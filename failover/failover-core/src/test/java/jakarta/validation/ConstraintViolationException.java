package jakarta.validation;

/** Looks like a failed validation. */
public class ConstraintViolationException extends ValidationException {
  private static final long serialVersionUID = 1;
}
