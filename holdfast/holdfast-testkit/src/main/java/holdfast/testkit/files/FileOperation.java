package holdfast.testkit.files;

/** A kind of change to files, as {@link FaultyFiles} numbers them. */
public enum FileOperation {
  /** A file that was not there is made, by opening it. */
  CREATE,
  /** A directory is made. */
  CREATE_DIRECTORY,
  /** Bytes are written by one call on a channel or stream. */
  WRITE,
  /**
   * A file is cut to a length, be it longer or not: by a channel, or to nothing by opening it so.
   */
  TRUNCATE,
  /** The content of a file is made durable. */
  FORCE,
  /** The entries of a directory are made durable. */
  FORCE_DIRECTORY,
  /** A file or directory gets another name, in place of what had it if the move is atomic. */
  MOVE,
  /** A file or an empty directory loses its name. */
  DELETE,
  /** A time, an owner, a permission or the like is set. */
  CHANGE_ATTRIBUTES
}
