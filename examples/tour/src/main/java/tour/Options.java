package tour;

import java.util.List;

/**
 * What the tour was asked for. Immutable.
 *
 * @param fast whether the story takes some fifteen seconds instead of a minute
 * @param stay whether it goes on until somebody ends it, with keys to break and mend things
 * @param postgres whether the database is a PostgreSQL
 * @param sabotage whether one order is placed without its event, which the ledger must show
 */
record Options(boolean fast, boolean stay, boolean postgres, boolean sabotage) {
  private static final List<String> KNOWN = List.of("--fast", "--stay", "--postgres", "--sabotage");

  static Options of(List<String> args) {
    for (String arg : args) {
      if (!KNOWN.contains(arg)) {
        throw new IllegalArgumentException(
            "options must be among " + KNOWN + " but '" + arg + "' was given");
      }
    }
    return new Options(
        args.contains("--fast"),
        args.contains("--stay"),
        args.contains("--postgres"),
        args.contains("--sabotage"));
  }
}
