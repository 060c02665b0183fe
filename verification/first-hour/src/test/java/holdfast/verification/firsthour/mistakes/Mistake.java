package holdfast.verification.firsthour.mistakes;

/**
 * A mistake of a new user and the three parts of the message that answers it. Immutable.
 *
 * @param library the library whose message it is
 * @param name the mistake in plain words, unique within its library
 * @param occasion when the user sees the message
 * @param making makes the mistake and returns the message
 * @param happened the part that says what happened
 * @param found the part that shows the value found
 * @param fix the part that says how to fix it
 */
record Mistake(
    Library library,
    String name,
    Occasion occasion,
    Making making,
    String happened,
    String found,
    String fix) {

  /** Makes a mistake and returns the message that a user reads. */
  @FunctionalInterface
  interface Making {
    String message() throws Exception;
  }

  /** One of the five libraries. */
  enum Library {
    OUTBOX("Outbox"),
    EVENTBUS("Event bus"),
    EVENTLOG("Event log"),
    TRACER("Tracer"),
    FAILOVER("Failover");

    private final String title;

    Library(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /** When a user sees the message. */
  enum Occasion {
    BUILD("build: exception"),
    START("start: exception"),
    BOOT("Spring Boot: the application does not start"),
    START_LOG("start: warning in the log"),
    START_STATUS("start: error in the status messages of Logback"),
    CALL("call: exception"),
    CALL_LOG("call: warning in the log");

    private final String words;

    Occasion(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  @Override
  public String toString() {
    return library.title() + ": " + name;
  }
}
