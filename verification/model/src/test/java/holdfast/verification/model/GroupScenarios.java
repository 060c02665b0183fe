package holdfast.verification.model;

import static holdfast.verification.model.Property.EVERY_EVENT_ENDS;
import static holdfast.verification.model.Property.INNOCENT_NEVER_DEAD;
import static holdfast.verification.model.Property.KILLS_ARE_BOUNDED;
import static holdfast.verification.model.Scenario.holds;
import static holdfast.verification.model.Scenario.violates;
import static holdfast.verification.model.Setup.Listener.HANGS;
import static holdfast.verification.model.Setup.Listener.KILLS;
import static holdfast.verification.model.Setup.Listener.KILLS_LATE;
import static holdfast.verification.model.Setup.Listener.KILLS_OR_FAILS;
import static holdfast.verification.model.Setup.Listener.SUCCEEDS;
import static holdfast.verification.model.Setup.Listener.SUCCEEDS_OR_FAILS;

import java.util.List;
import java.util.stream.Stream;

/**
 * Suspects in groups. Most start after a node has died with all events in its queue; the others
 * start with committed events that nobody has claimed, so the first kill is that of an ordinary
 * delivery.
 */
final class GroupScenarios {
  private static final Setup GROUPS =
      new Setup()
          .with(
              c -> {
                c.innocentNeverDead = true;
                c.lease = 2;
              })
          .grouped();

  /** Two workers, two lapses: 1 ordinary kill, 1 in a group of two, 2 alone. */
  private static final Setup UNCLAIMED =
      GROUPS.with(
          c -> {
            c.committedAtStart = true;
            c.listeners(KILLS, SUCCEEDS);
            c.maxKills = 4;
          });

  private static final Setup QUEUED_AT_DEATH =
      GROUPS.with(
          c -> {
            c.lapsedAtStart = true;
            c.listeners(KILLS, SUCCEEDS, SUCCEEDS);
            c.maxKills = 3;
          });
  private static final Setup PAIR = QUEUED_AT_DEATH.with(c -> c.listeners(KILLS, SUCCEEDS));
  private static final Setup FOUR_WORKERS =
      QUEUED_AT_DEATH.with(
          c -> {
            c.nodes = 1;
            c.workers(4);
            c.listeners(KILLS, SUCCEEDS, SUCCEEDS, SUCCEEDS);
          });

  private GroupScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(
            killers(), bounds(), decisions(), refilled(), faults(), closes(), hanging(), others())
        .flatMap(List::stream);
  }

  private static List<Scenario> killers() {
    return List.of(
        holds("G1", "a killer and an innocent, 2 nodes with 2 workers", UNCLAIMED).inLongRuns(),
        holds(
                "G2",
                "the same, and the killer takes its time",
                UNCLAIMED.with(c -> c.listeners(KILLS_LATE, SUCCEEDS)))
            .inLongRuns(),
        holds("G3", "a killer and 2 innocents, 2 workers each", QUEUED_AT_DEATH).inLongRuns(),
        holds("G4", "the same, 4 workers each", QUEUED_AT_DEATH.with(c -> c.workers(4)))
            .inLongRuns(),
        holds("G5", "the same, 4 workers and 2", QUEUED_AT_DEATH.with(c -> c.workers(4, 2)))
            .inLongRuns(),
        holds("G5b", "the same, 4 workers and 1", QUEUED_AT_DEATH.with(c -> c.workers(4, 1)))
            .inLongRuns(),
        holds(
            "G5c",
            "a killer and an innocent, 2 workers and 1, one lapse allowed",
            PAIR.with(
                c -> {
                  c.workers(2, 1);
                  c.max(1);
                  c.maxKills = 2;
                })),
        holds(
                "G6",
                "2 killers and an innocent, one lapse allowed",
                QUEUED_AT_DEATH.with(
                    c -> {
                      c.listeners(KILLS, KILLS, SUCCEEDS);
                      c.max(1);
                      c.maxKills = 2;
                    }))
            .inLongRuns(),
        violates(
            INNOCENT_NEVER_DEAD,
            "G7",
            "as many other killers (1) as lapses are allowed (1), delivered first beside a suspect",
            UNCLAIMED.with(c -> c.max(1))));
  }

  private static List<Scenario> bounds() {
    Setup alone = UNCLAIMED.with(c -> c.nodes = 1);
    Setup fails = alone.with(c -> c.listeners(KILLS_OR_FAILS, SUCCEEDS));
    return List.of(
        holds("G10", "1 node, 2 workers: 4 kills", alone),
        violates(KILLS_ARE_BOUNDED, "G10t", "... and not fewer", alone.with(c -> c.maxKills = 3)),
        holds("G11", "1 node, 4 workers: 4 kills besides the first", four(4)).inLongRuns(),
        violates(KILLS_ARE_BOUNDED, "G11t", "... and not fewer", four(3)).inLongRuns(),
        holds("G12", "1 node, 3 workers: 3 kills besides the first", four(3, 3)).inLongRuns(),
        violates(KILLS_ARE_BOUNDED, "G12t", "... and not fewer", four(2, 3)),
        holds(
            "G13", "kills or fails in turn, 2 attempts: 7 kills", fails.with(c -> c.maxKills = 7)),
        violates(KILLS_ARE_BOUNDED, "G13t", "... and not fewer", fails.with(c -> c.maxKills = 6)));
  }

  private static Setup four(int kills) {
    return four(kills, 4);
  }

  private static Setup four(int kills, int workers) {
    return FOUR_WORKERS.with(
        c -> {
          c.maxKills = kills;
          c.workers(workers);
        });
  }

  private static List<Scenario> decisions() {
    Setup once =
        PAIR.with(
            c -> {
              c.max(1);
              c.maxKills = 2;
            });
    Setup endless =
        PAIR.with(
            c -> {
              c.nodes = 1;
              c.maxKills = 20;
            });
    return List.of(
        violates(
            KILLS_ARE_BOUNDED,
            "G20",
            "the group is not written before the start",
            endless.with(c -> c.groupWrittenAtStart = false)),
        violates(
            KILLS_ARE_BOUNDED,
            "G21",
            "the next group is not smaller",
            endless.with(c -> c.groupHalved = false)),
        violates(
            INNOCENT_NEVER_DEAD,
            "G22",
            "a lapse is counted in larger groups too",
            once.with(c -> c.lapseOnlyInGroupOfOne = false)),
        violates(
            INNOCENT_NEVER_DEAD,
            "G23",
            "a node takes the next group before the last one has ended",
            PAIR.with(c -> c.oneGroupPerNode = false)),
        violates(
            INNOCENT_NEVER_DEAD,
            "G24",
            "a group ends with its listeners, before their outcomes are recorded",
            PAIR.with(c -> c.groupEndsWhenRecorded = false)),
        violates(
            KILLS_ARE_BOUNDED,
            "G26",
            "a suspect that is released before it ever began is no suspect any more",
            endless.with(
                c -> {
                  c.claimWritesSuspicion = false;
                  c.listeners(KILLS);
                })),
        violates(
            INNOCENT_NEVER_DEAD,
            "G26b",
            "the same, and an innocent beside it",
            endless.with(c -> c.claimWritesSuspicion = false)),
        holds("G25", "each member writes its own start", once),
        holds(
            "G25a",
            "one statement writes the start of all members",
            once.with(c -> c.groupWrittenForAllAtOnce = true)),
        holds(
                "G25b",
                "the same, a killer and 2 innocents, 4 workers and 2",
                QUEUED_AT_DEATH.with(
                    c -> {
                      c.groupWrittenForAllAtOnce = true;
                      c.workers(4, 2);
                    }))
            .inLongRuns());
  }

  /** A group takes others in the place of members that have ended. */
  private static List<Scenario> refilled() {
    Setup pair =
        PAIR.with(
            c -> {
              c.groupRefilled = true;
              c.max(1);
              c.maxKills = 2;
            });
    return List.of(
        holds("G27", "groups are refilled, a killer and an innocent, one lapse allowed", pair),
        holds(
                "G27a",
                "the same, 4 workers and 2, 2 lapses allowed: 4 kills besides the first",
                pair.with(
                    c -> {
                      c.workers(4, 2);
                      c.max(2);
                      c.maxKills = 4;
                    }))
            .inLongRuns(),
        holds(
                "G27b",
                "a killer that takes its time and 2 innocents",
                pair.with(c -> c.listeners(KILLS_LATE, SUCCEEDS, SUCCEEDS)))
            .inLongRuns());
  }

  private static List<Scenario> faults() {
    Setup all =
        PAIR.with(
            c -> {
              c.crashes = 1;
              c.pauses = 1;
              c.databaseErrors = 1;
              c.max(4);
              c.maxKills = 5;
            });
    Setup late = PAIR.with(c -> c.listeners(KILLS_LATE, SUCCEEDS));
    return List.of(
        holds("G30", "crash, pause and database error, 4 lapses allowed", all).inLongRuns(),
        holds(
                "G30a",
                "the same, one statement writes the start of all members",
                all.with(c -> c.groupWrittenForAllAtOnce = true))
            .inLongRuns(),
        holds("G31", "a killer that takes its time, pause", late.with(c -> c.pauses = 1))
            .inLongRuns(),
        holds(
            "G32",
            "one crash, 1 killer not yet claimed, 3 lapses allowed",
            UNCLAIMED.with(
                c -> {
                  c.nodes = 1;
                  c.crashes = 1;
                  c.max(3);
                  c.maxKills = 5;
                })),
        violates(
            INNOCENT_NEVER_DEAD,
            "G33",
            "2 kills from outside, 2 lapses allowed (the price of any such rule)",
            PAIR.with(
                c -> {
                  c.listeners(SUCCEEDS);
                  c.crashes = 2;
                })),
        holds(
                "G34",
                "3 innocents in the queue of a dead node, nothing twice",
                QUEUED_AT_DEATH.with(
                    c -> {
                      c.listeners(SUCCEEDS, SUCCEEDS, SUCCEEDS);
                      c.noDuplicates = true;
                    }))
            .inLongRuns(),
        holds(
            "G35",
            "2 innocents, 2 workers and 1, nothing twice",
            PAIR.with(
                c -> {
                  c.listeners(SUCCEEDS, SUCCEEDS);
                  c.workers(2, 1);
                  c.noDuplicates = true;
                })));
  }

  private static List<Scenario> closes() {
    Setup close = UNCLAIMED.with(c -> c.closes = 1);
    Setup interrupted =
        PAIR.with(
            c -> {
              c.nodes = 1;
              c.listeners(SUCCEEDS);
              c.closes = 2;
              c.interruptedIsReleased = true;
            });
    return List.of(
        holds("G40", "a release keeps suspicion and group, one close", close).inLongRuns(),
        violates(
            KILLS_ARE_BOUNDED,
            "G41",
            "a release clears them",
            close.with(
                c -> {
                  c.nodes = 1;
                  c.releaseKeepsSuspicion = false;
                })),
        holds("G42", "2 closes interrupt a suspect: its lapse is taken back", interrupted),
        violates(
            INNOCENT_NEVER_DEAD,
            "G43",
            "2 closes interrupt a suspect: its lapses stay",
            interrupted.with(c -> c.interruptedLapseIsTakenBack = false)),
        holds(
                "G44",
                "a killer that takes its time is interrupted by a close",
                PAIR.with(
                    c -> {
                      c.listeners(KILLS_LATE, SUCCEEDS);
                      c.closes = 1;
                      c.interruptedIsReleased = true;
                    }))
            .inLongRuns());
  }

  private static List<Scenario> hanging() {
    Setup hangs = QUEUED_AT_DEATH.with(c -> c.listeners(HANGS, SUCCEEDS, SUCCEEDS));
    return List.of(
        holds("G50", "a suspect hangs, another node takes the others", hangs).inLongRuns(),
        violates(
            EVERY_EVENT_ENDS,
            "G51",
            "as many suspects hang (1) as there are nodes (1): the others wait",
            hangs.with(c -> c.nodes = 1)),
        violates(
            EVERY_EVENT_ENDS,
            "G52",
            "the same with one suspect at a time",
            hangs.with(
                c -> {
                  c.nodes = 1;
                  c.suspects = Setup.Suspects.ONE_AT_A_TIME;
                })));
  }

  /** What held with one suspect at a time. */
  private static List<Scenario> others() {
    Setup hot =
        GROUPS.with(
            c -> {
              c.lease = 3;
              c.listeners(SUCCEEDS_OR_FAILS);
              c.hotQueueMayBeFull = true;
              c.mayRollBack = true;
              c.crashes = 1;
              c.pauses = 1;
              c.databaseErrors = 1;
            });
    return List.of(
        holds("G60", "crash, pause, database error, from the INSERT on", hot).inLongRuns(),
        holds(
                "G61",
                "a killer and an innocent from the INSERT on",
                GROUPS.with(
                    c -> {
                      c.lease = 3;
                      c.listeners(KILLS, SUCCEEDS);
                      c.maxKills = 4;
                    }))
            .inLongRuns(),
        holds(
                "G62",
                "2 ordered events, crash",
                GROUPS.with(
                    c -> {
                      c.listeners(SUCCEEDS_OR_FAILS, SUCCEEDS);
                      c.innocentNeverDead = false;
                      c.ordered = true;
                      c.aggregate = new int[] {0, 0, 1};
                      c.publisher = new int[] {0, 1, 1};
                      c.crashes = 1;
                    }))
            .inLongRuns());
  }
}
