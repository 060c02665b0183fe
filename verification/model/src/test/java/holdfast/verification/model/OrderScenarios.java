package holdfast.verification.model;

import static holdfast.verification.model.Property.EVERY_EVENT_ENDS;
import static holdfast.verification.model.Property.IN_ORDER;
import static holdfast.verification.model.Scenario.holds;
import static holdfast.verification.model.Scenario.violates;

import holdfast.verification.model.Setup.Listener;
import java.util.List;
import java.util.stream.Stream;

/** Events of one aggregate, in the order of their commits. */
final class OrderScenarios {
  private static final Setup ORDERED =
      LeaseScenarios.NO_FAULTS.with(
          c -> {
            c.events = 2;
            c.ordered = true;
            c.aggregate = new int[] {0, 0, 1};
            c.publisher = new int[] {0, 1, 1};
            c.oneAtATimePerAggregate = true;
          });
  private static final Setup BUILT = ORDERED.asBuilt();
  private static final Setup DEAD_HEAD =
      BUILT.with(
          c -> {
            c.listeners[0] = Listener.FAILS;
            c.max(1);
            c.mayRollBack = false;
            c.hotQueueMayBeFull = false;
          });
  private static final Setup ONE_NODE =
      BUILT.with(
          c -> {
            c.nodes = 1;
            c.publisher = new int[] {0, 0, 0};
          });

  private OrderScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(order(), deadHead(), otherAggregates()).flatMap(List::stream);
  }

  private static List<Scenario> order() {
    Setup faults =
        BUILT.with(
            c -> {
              c.noDuplicates = false;
              c.oneAtATimePerAggregate = false;
              c.hotQueueMayBeFull = false;
              c.crashes = 1;
            });
    return List.of(
        holds("F1r", "2 events from 2 nodes, no faults", BUILT),
        holds("F1", "the same, DONE recorded at any time", ORDERED.with(c -> c.startMargin = 1)),
        violates(
            IN_ORDER,
            "F2",
            "the hot path does not ask for the head",
            BUILT.with(c -> c.headCheckOnHotPath = false)),
        violates(IN_ORDER, "F3", "numbers without a lock", BUILT.with(c -> c.lockedNumber = false)),
        holds(
                "F4r",
                "crash and pause",
                faults.with(
                    c -> {
                      c.listeners[0] = Listener.SUCCEEDS_OR_FAILS;
                      c.pauses = 1;
                    }))
            .inLongRuns(),
        holds("F5r", "database error and crash", faults.with(c -> c.databaseErrors = 1))
            .inLongRuns(),
        holds(
            "F14r",
            "a success makes waiting retries due",
            BUILT.with(
                c -> {
                  c.retriesMadeDue = true;
                  c.listeners[0] = Listener.SUCCEEDS_OR_FAILS;
                  c.hotQueueMayBeFull = false;
                })));
  }

  private static List<Scenario> deadHead() {
    Setup replay =
        DEAD_HEAD.with(
            c -> {
              c.replays = 1;
              c.listeners[0] = Listener.SUCCEEDS_OR_FAILS;
            });
    return List.of(
        holds("F6", "a dead head blocks, as asked for", DEAD_HEAD),
        violates(
            IN_ORDER,
            "F7",
            "a dead head blocks, the purge removes it",
            DEAD_HEAD.with(c -> c.purgeDead = true)),
        holds("F8", "a dead head blocks, a replay keeps its number", replay).inLongRuns(),
        holds("F9", "a dead head is skipped", DEAD_HEAD.with(c -> c.skipDead = true)),
        violates(
            IN_ORDER,
            "F10",
            "a dead head is skipped, a replay keeps its number",
            replay.with(
                c -> {
                  c.skipDead = true;
                  c.inOrder = false;
                })),
        holds(
                "F10r",
                "a dead head is skipped, a replay takes the next number",
                replay.with(
                    c -> {
                      c.skipDead = true;
                      c.replayTakesNextNumber = true;
                    }))
            .inLongRuns());
  }

  private static List<Scenario> otherAggregates() {
    Setup other =
        DEAD_HEAD.with(
            c -> {
              c.events = 3;
              c.publisher = new int[] {0, 0, 0};
              c.nodes = 1;
              c.endingEvent = 2;
              c.hotQueueMayBeFull = true;
            });
    Setup waits =
        ONE_NODE.with(
            c -> {
              c.workers(1);
              c.waitsInWorker = true;
            });
    return List.of(
        violates(
                EVERY_EVENT_ENDS,
                "F11",
                "the head check comes after LIMIT: another aggregate starves",
                other.with(c -> c.headCheckInClaim = false))
            .inLongRuns(),
        holds("F11r", "the head check is inside the claim: 3 events, 2 aggregates", other)
            .inLongRuns(),
        violates(EVERY_EVENT_ENDS, "F12", "an event that is not head waits in its worker", waits),
        violates(
                EVERY_EVENT_ENDS,
                "F13",
                "the same, and a dead head: another aggregate is blocked",
                waits.with(
                    c -> {
                      c.events = 3;
                      c.hotQueueMayBeFull = false;
                      c.mayRollBack = false;
                      c.endingEvent = 2;
                      c.listeners[0] = Listener.FAILS;
                      c.max(1);
                    }))
            .inLongRuns());
  }
}
