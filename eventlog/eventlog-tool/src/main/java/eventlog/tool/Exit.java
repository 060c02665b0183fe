package eventlog.tool;

/** What the tool's exit codes mean. */
enum Exit {
  /** Done. */
  DONE(0),
  /** Done in part: something is still there. */
  NOT_ALL(1),
  /** It was called wrongly. */
  USAGE(2),
  /** A process uses the directory; nothing was done. */
  IN_USE(3),
  /** The files could not be read or written. */
  FILES(4);

  private final int code;

  Exit(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
