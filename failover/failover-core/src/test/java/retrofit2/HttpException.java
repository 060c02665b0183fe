package retrofit2;

/** Looks like the exception of the client of that name. */
public class HttpException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final int status;

  public HttpException(int status) {
    super("status " + status);
    this.status = status;
  }

  public int code() {
    return status;
  }
}
