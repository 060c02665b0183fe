package tracer.perfetto;

/** What a viewer is told of a begin or an end that was not recorded like that. */
enum Note {
  NONE(0, "", ""),
  BEGIN_DROPPED(1, "begin", "dropped"),
  END_DROPPED(2, "end", "dropped"),
  BEGIN_IN_ANOTHER_FILE(3, "begin", "in an earlier file"),
  END_IN_ANOTHER_FILE(4, "end", "in a later file"),
  END_NOT_FOLLOWED(5, "end", "not followed: too many open spans"),
  BEGIN_NOT_FOLLOWED(6, "begin", "not followed: too many ends came before their begins");

  private final int number;
  private final String argument;
  private final String text;

  Note(int number, String argument, String text) {
    this.number = number;
    this.argument = argument;
    this.text = text;
  }

  /** The number that stands for its text in a file; less than those of interned strings. */
  int number() {
    return number;
  }

  String argument() {
    return argument;
  }

  String text() {
    return text;
  }
}
