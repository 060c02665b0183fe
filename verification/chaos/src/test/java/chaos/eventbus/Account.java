package chaos.eventbus;

import chaos.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds three accounts against each other that know nothing of one another: the handlers' lines
 * (what ran), the journal of acquisitions (who had an event when) and the log of closed events.
 * What does not fit is a problem, told in one line. Stateless beside its arguments.
 *
 * <p>An event may be taken over only from a worker that was killed while it held it, and may run
 * again only if the worker of the run before was killed soon enough to have kept the outcome from
 * being written.
 *
 * @param published the ids of all events
 * @param kills when each life that was killed was
 * @param timeout how long a claim lasts without a sign of life
 */
record Account(
    Set<Long> published,
    List<Run> runs,
    List<Change> changes,
    List<Closing> closings,
    Map<String, Span> kills,
    Duration timeout) {

  /** How long a worker may take to handle an event and write its outcome, on a busy machine. */
  static final Duration WRITE_PATIENCE = Duration.ofSeconds(5);

  /** How far the times of processes and database may be apart in the account of one deed. */
  static final Duration TOLERANCE = Duration.ofMillis(500);

  private static final int SHOWN = 20;

  /** What does not fit; empty if all does. */
  List<String> problems() {
    Map<Long, List<Run>> runsOf = by(runs, Run::eventId);
    runsOf.values().forEach(some -> some.sort(Comparator.comparingInt(Run::attempts)));
    Map<Long, List<Change>> claimsOf =
        by(changes.stream().filter(Change::isClaim).toList(), Change::eventId);
    Map<Long, List<Closing>> closingsOf = by(closings, Closing::eventId);
    List<String> problems = new ArrayList<>();
    add(problems, "published and never closed", ids(id -> !closingsOf.containsKey(id)));
    add(
        problems,
        "closed more than once",
        ids(id -> closingsOf.getOrDefault(id, List.of()).size() > 1));
    add(problems, "run or closed and never published", strangers());
    add(
        problems,
        "closed as failed",
        closings.stream().filter(closing -> !closing.status().equals("COMPLETED")));
    add(
        problems,
        "closed by an acquisition that ran nothing",
        closings.stream().filter(closing -> !hasRun(closing, runsOf)));
    add(
        problems,
        "acquired more or less often than the log says",
        closings.stream()
            .filter(
                closing ->
                    claimsOf.getOrDefault(closing.eventId(), List.of()).size()
                        != closing.attempts()));
    add(problems, "run twice by one acquisition", runsOf.values().stream().filter(Account::twice));
    add(
        problems,
        "begun after it was closed",
        runs.stream()
            .filter(run -> isLate(run, closingsOf.getOrDefault(run.eventId(), List.of()))));
    add(
        problems,
        "taken over though its worker was well",
        changes.stream().filter(Change::isTakeover).filter(change -> !isExplained(change)));
    add(
        problems,
        "run again though the worker before was well",
        runsOf.values().stream().filter(some -> !areExplained(some)));
    return problems;
  }

  private static void add(List<String> problems, String what, Stream<?> found) {
    List<String> all = found.map(Object::toString).toList();
    if (!all.isEmpty()) {
      problems.add(
          "%s: %d%n  %s"
              .formatted(
                  what,
                  all.size(),
                  String.join("\n  ", all.subList(0, Math.min(SHOWN, all.size())))));
    }
  }

  private static <T> Map<Long, List<T>> by(List<T> all, ToLongFunction<T> id) {
    Map<Long, List<T>> grouped = new HashMap<>();
    all.forEach(
        one -> grouped.computeIfAbsent(id.applyAsLong(one), i -> new ArrayList<>()).add(one));
    return grouped;
  }

  private Stream<Long> ids(java.util.function.LongPredicate which) {
    return published.stream().filter(which::test);
  }

  private Stream<Long> strangers() {
    return Stream.concat(runs.stream().map(Run::eventId), closings.stream().map(Closing::eventId))
        .filter(id -> !published.contains(id))
        .distinct();
  }

  private static boolean hasRun(Closing closing, Map<Long, List<Run>> runsOf) {
    return runsOf.getOrDefault(closing.eventId(), List.of()).stream()
        .anyMatch(run -> run.attempts() == closing.attempts());
  }

  private static boolean twice(List<Run> ofOne) {
    return ofOne.stream().map(Run::attempts).distinct().count() < ofOne.size();
  }

  private static boolean isLate(Run run, List<Closing> ofOne) {
    return ofOne.stream().anyMatch(closing -> run.at().isAfter(closing.at().plus(TOLERANCE)));
  }

  /** Whether its holder was killed after its last sign of life and before the claim ended. */
  private boolean isExplained(Change takeover) {
    return wasKilled(
        Objects.requireNonNull(takeover.oldHolder()),
        new Span(takeover.claimEnd().minus(timeout), takeover.claimEnd()));
  }

  /** Whether each run but the last was followed by a kill of its worker. */
  private boolean areExplained(List<Run> ofOne) {
    return ofOne.stream()
        .limit(ofOne.size() - 1L)
        .allMatch(run -> wasKilled(run.node(), new Span(run.at(), run.at().plus(WRITE_PATIENCE))));
  }

  private boolean wasKilled(String node, Span when) {
    Span about = new Span(when.from().minus(TOLERANCE), when.until().plus(TOLERANCE));
    Span killed = kills.get(node);
    return killed != null && about.meets(killed);
  }

  /** How many claims were taken over. */
  long takeovers() {
    return changes.stream().filter(Change::isTakeover).count();
  }

  /** What was seen, for people. */
  String figures() {
    Map<Long, Long> runsOf =
        runs.stream().collect(Collectors.groupingBy(Run::eventId, Collectors.counting()));
    return "%,d events, %,d runs, %,d events run more than once, %d times at most; %d kills, %,d"
            .formatted(
                published.size(),
                runs.size(),
                runsOf.values().stream().filter(count -> count > 1).count(),
                runsOf.values().stream().mapToLong(count -> count).max().orElse(0),
                kills.size(),
                takeovers())
        + " claims taken over";
  }
}
