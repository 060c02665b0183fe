package failover.key.canonical;

/** An argument has no value that could be compared with another's, so there is no key. */
public final class UnkeyableArgumentException extends Exception {
  private static final long serialVersionUID = 1;

  UnkeyableArgumentException(String problem) {
    super(problem + "; give the point a key function");
  }
}
