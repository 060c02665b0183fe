package jakarta.ws.rs;

/** Looks like the exception of the client of that name. */
public class WebApplicationException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final int status;

  public WebApplicationException(int status) {
    super("status " + status);
    this.status = status;
  }

  /** An answer, as implementations of the client give it: of a class that is not public. */
  public abstract static class Response {
    public abstract int getStatus();
  }

  public Response getResponse() {
    return new Received(status);
  }

  private static final class Received extends Response {
    private final int status;

    Received(int status) {
      this.status = status;
    }

    @Override
    public int getStatus() {
      return status;
    }
  }
}
