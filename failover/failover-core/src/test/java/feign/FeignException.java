package feign;

/** Looks like the exception of the client of that name. */
public class FeignException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final int status;

  public FeignException(int status) {
    super("status " + status);
    this.status = status;
  }

  public int status() {
    return status;
  }
}
