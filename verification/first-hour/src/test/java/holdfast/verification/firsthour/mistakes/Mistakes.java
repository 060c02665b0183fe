package holdfast.verification.firsthour.mistakes;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All mistakes, each made once in this JVM. Safe for use by many threads. */
final class Mistakes {
  private static final Map<Mistake, String> MESSAGES = new ConcurrentHashMap<>();
  private static final List<Mistake> ALL =
      Stream.<Supplier<List<Mistake>>>of(
              OutboxMistakes::all,
              OutboxSpringMistakes::all,
              EventBusMistakes::all,
              EventBusSpringMistakes::all,
              EventLogMistakes::all,
              EventLogSpringMistakes::all,
              EventLogAppenderMistakes::all,
              TracerMistakes::all,
              TracerSpringMistakes::all,
              FailoverMistakes::all,
              FailoverSpringMistakes::all)
          .flatMap(some -> some.get().stream())
          .toList();

  private Mistakes() {}

  static List<Mistake> all() {
    return ALL;
  }

  /** Returns the message that answers the mistake. */
  static String message(Mistake mistake) {
    return MESSAGES.computeIfAbsent(mistake, Mistakes::made);
  }

  private static String made(Mistake mistake) {
    try {
      return mistake.making().message();
    } catch (Exception e) {
      throw new AssertionError(mistake + " was not answered as expected", e);
    }
  }
}
