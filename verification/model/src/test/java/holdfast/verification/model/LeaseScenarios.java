package holdfast.verification.model;

import static holdfast.verification.model.Property.CLEAN_CLOSE;
import static holdfast.verification.model.Property.NOTHING_ROLLED_BACK;
import static holdfast.verification.model.Property.NO_DUPLICATES;
import static holdfast.verification.model.Property.ONLY_OWN_ROWS;
import static holdfast.verification.model.Scenario.holds;
import static holdfast.verification.model.Scenario.violates;

import holdfast.verification.model.Setup.Listener;
import holdfast.verification.model.Setup.Reserved;
import java.util.List;
import java.util.stream.Stream;

/** Leases, renewal, the start check and close, without faults. */
final class LeaseScenarios {
  static final Setup NO_FAULTS =
      new Setup()
          .with(
              c -> {
                c.noDuplicates = true;
                c.hotQueueMayBeFull = true;
                c.mayRollBack = true;
              });
  private static final Setup BUILT = NO_FAULTS.asBuilt();
  private static final Setup DRIFT =
      NO_FAULTS
          .with(
              c -> {
                c.lease = 6;
                c.renewal = 2;
                c.drift = 1;
              })
          .asBuilt();
  private static final Setup PLAIN =
      NO_FAULTS.with(
          c -> {
            c.nodes = 1;
            c.plain = true;
            c.startMargin = 1;
          });

  private LeaseScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(starts(), leases(), closes(), plain(), rollback()).flatMap(List::stream);
  }

  private static List<Scenario> starts() {
    return List.of(
        violates(NO_DUPLICATES, "C1", "a listener starts with any lease left", NO_FAULTS),
        holds(
            "C1m",
            "a start needs more than one renewal period of the lease",
            NO_FAULTS.with(c -> c.startMargin = 1)),
        holds("C1r", "as built, 2 nodes", BUILT),
        holds("C1r3", "as built, 3 nodes", BUILT.with(c -> c.nodes = 3)),
        violates(
            NO_DUPLICATES,
            "C2",
            "clocks drift by 1 of 6, a start needs one renewal period",
            DRIFT.with(c -> c.startMargin = 2)),
        holds("C2r", "clocks drift by 1 of 6, a start needs a renewal period and drift", DRIFT),
        holds(
                "C3r",
                "2 nodes, 2 events, listeners fail or succeed",
                BUILT.with(
                    c -> {
                      c.listeners(Listener.SUCCEEDS_OR_FAILS, Listener.SUCCEEDS_OR_FAILS);
                      c.publisher[1] = 1;
                    }))
            .inLongRuns());
  }

  private static List<Scenario> leases() {
    return List.of(
        violates(
            NO_DUPLICATES,
            "C4",
            "the lease is measured from the commit, not from before the INSERT",
            BUILT.with(c -> c.leaseMeasuredBeforeInsert = false)),
        violates(NO_DUPLICATES, "C5", "no renewal", BUILT.with(c -> c.renewals = false)),
        violates(
            NO_DUPLICATES,
            "C6",
            "the renewal leaves out what awaits its outcome DONE",
            BUILT.with(c -> c.unrecordedIsRenewed = false)),
        violates(NO_DUPLICATES, "C7", "no start check", BUILT.with(c -> c.startCheck = false)),
        holds(
            "C8",
            "no lease on insert: the start check renews every hot event",
            BUILT.with(
                c -> {
                  c.leasedOnInsert = false;
                  c.onlyOwnRows = false;
                })),
        violates(
            NO_DUPLICATES,
            "C12",
            "the database's clock stands still inside a transaction",
            BUILT.with(c -> c.clockStandsInTransaction = true)),
        holds(
            "C12r",
            "the same, and the node counts on no lease from the INSERT",
            BUILT.with(
                c -> {
                  c.clockStandsInTransaction = true;
                  c.standingClockKnown = true;
                })),
        holds(
            "C13",
            "a claimed event that already waits here is dropped (only slower)",
            BUILT.with(
                c -> {
                  c.nodes = 1;
                  c.listeners(Listener.SUCCEEDS_OR_FAILS, Listener.SUCCEEDS_OR_FAILS);
                  c.reserved = Reserved.DROPPED;
                })),
        holds(
            "C14",
            "an event that the hot queue refuses is not released (only slower)",
            BUILT.with(c -> c.refusedIsNotReleased = true)));
  }

  private static List<Scenario> closes() {
    Setup draft =
        NO_FAULTS.with(
            c -> {
              c.closes = 1;
              c.startMargin = 1;
            });
    Setup clean =
        BUILT.with(
            c -> {
              c.closes = 1;
              c.cleanClose = true;
            });
    return List.of(
        violates(ONLY_OWN_ROWS, "C9", "close releases all leases", draft),
        violates(
            NO_DUPLICATES,
            "C9b",
            "the same, seen by the consumer",
            draft.with(
                c -> {
                  c.onlyOwnRows = false;
                  c.endMovesToken = true;
                })),
        holds("C9r", "close does not release what still runs", BUILT.with(c -> c.closes = 1)),
        violates(
            CLEAN_CLOSE,
            "C10",
            "a renewal is on its way, a release keeps the token",
            clean.with(
                c -> {
                  c.renewalInTwoSteps = true;
                  c.endMovesToken = false;
                  c.onlyOwnRows = false;
                })),
        violates(
            CLEAN_CLOSE,
            "C11",
            "a transaction commits after the close, its callback does nothing",
            clean.with(c -> c.lateCallbackReleases = false)),
        holds("C11r", "clean close as built", clean.with(c -> c.renewalInTwoSteps = true)));
  }

  private static List<Scenario> plain() {
    Setup first = PLAIN.with(c -> c.reserved = Reserved.ASKED_BEFORE_THE_CLAIM);
    return List.of(
        violates(NO_DUPLICATES, "P1", "table without leases, a known event is dropped", PLAIN),
        violates(
            NO_DUPLICATES,
            "P2",
            "table without leases, a known event takes the new token",
            PLAIN.with(c -> c.reserved = Reserved.TAKES_NEW_TOKEN)),
        violates(NO_DUPLICATES, "P3", "table without leases, reserved before the UPDATE", first),
        holds(
            "P3r",
            "the same, and skipRecent is the lease of a hot event",
            first.with(c -> c.plainRowsHaveAge = true)),
        violates(
            NO_DUPLICATES,
            "P4",
            "table without leases on 2 nodes (duplicates are allowed there)",
            first.with(
                c -> {
                  c.nodes = 2;
                  c.plainRowsHaveAge = true;
                })));
  }

  private static List<Scenario> rollback() {
    Setup savepoint = BUILT.with(c -> c.savepoint = true);
    return List.of(
        violates(NOTHING_ROLLED_BACK, "B1", "a savepoint is rolled back", savepoint),
        holds(
            "B1r",
            "a rolled-back savepoint takes its callback with it",
            savepoint.with(c -> c.savepointSeen = true)));
  }
}
