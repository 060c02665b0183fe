package holdfast.testkit.files;

/**
 * One change to files, as it was asked for; it may have failed.
 *
 * @param number which change it was, counted from 1
 * @param operation what was to be done
 * @param path what it was done to, as a path relative to the root; the root itself is {@code "."}
 * @param target the new name in a {@link FileOperation#MOVE}; otherwise the path again
 */
public record Op(long number, FileOperation operation, String path, String target) {

  /** The change in one line, such as {@code 4 MOVE state.tmp -> state}. */
  @Override
  public String toString() {
    String what = number + " " + operation + " " + path;
    return path.equals(target) ? what : what + " -> " + target;
  }
}
