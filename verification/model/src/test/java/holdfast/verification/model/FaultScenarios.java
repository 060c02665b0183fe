package holdfast.verification.model;

import static holdfast.verification.model.Property.EVERY_EVENT_ENDS;
import static holdfast.verification.model.Property.NO_DUPLICATES;
import static holdfast.verification.model.Property.ONLY_OWN_ROWS;
import static holdfast.verification.model.Scenario.holds;
import static holdfast.verification.model.Scenario.violates;

import holdfast.verification.model.Setup.Listener;
import java.util.List;
import java.util.stream.Stream;

/** Crashes, pauses, database errors and replays. */
final class FaultScenarios {
  private static final Setup FAULTS =
      new Setup()
          .with(
              c -> {
                c.hotQueueMayBeFull = true;
                c.mayRollBack = true;
                c.listeners(Listener.SUCCEEDS_OR_FAILS);
                c.crashes = 1;
                c.pauses = 1;
                c.databaseErrors = 1;
              });
  private static final Setup BUILT = FAULTS.asBuilt();

  private FaultScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(drafts(), built(), replays()).flatMap(List::stream);
  }

  private static List<Scenario> drafts() {
    return List.of(
        violates(ONLY_OWN_ROWS, "D1", "crash, pause, database error, first draft", FAULTS),
        violates(
            EVERY_EVENT_ENDS,
            "D1a",
            "first draft, one lost answer: a failure counts twice",
            FAULTS.with(
                c -> {
                  c.onlyOwnRows = false;
                  c.startMargin = 1;
                  c.pauses = 0;
                  c.crashes = 0;
                })),
        violates(
            EVERY_EVENT_ENDS,
            "D1b",
            "lapses count as attempts",
            BUILT.with(
                c -> {
                  c.lapsesCountedApart = false;
                  c.aloneWrittenAtStart = true;
                })),
        violates(
            ONLY_OWN_ROWS,
            "D2",
            "RETRY and release keep the token",
            BUILT.with(c -> c.endMovesToken = false)),
        violates(ONLY_OWN_ROWS, "D5", "no token", BUILT.with(c -> c.fenced = false)),
        violates(
            EVERY_EVENT_ENDS,
            "D8",
            "a failed record of DONE is taken for a failure of the listener",
            BUILT.with(c -> c.failedRecordIsFailure = true)),
        violates(
            NO_DUPLICATES,
            "D9",
            "a success makes retries due that a node has claimed",
            BUILT.with(
                c -> {
                  c.retriesMadeDue = true;
                  c.noDuplicates = true;
                  c.claimedRetriesLeft = false;
                  c.crashes = 0;
                  c.pauses = 0;
                  c.databaseErrors = 0;
                })));
  }

  private static List<Scenario> built() {
    return List.of(
        holds("D2r", "crash, pause, database error", BUILT).inLongRuns(),
        holds(
                "D3r",
                "the same, renewal in two steps",
                BUILT.with(
                    c -> {
                      c.renewalInTwoSteps = true;
                      c.hotQueueMayBeFull = false;
                    }))
            .inLongRuns(),
        holds(
                "D3s",
                "2 crashes, 2 database errors",
                BUILT.with(
                    c -> {
                      c.crashes = 2;
                      c.databaseErrors = 2;
                      c.pauses = 0;
                      c.hotQueueMayBeFull = false;
                    }))
            .inLongRuns(),
        holds(
                "D3t",
                "2 pauses",
                BUILT.with(
                    c -> {
                      c.crashes = 0;
                      c.databaseErrors = 0;
                      c.pauses = 2;
                      c.renewalInTwoSteps = true;
                    }))
            .inLongRuns(),
        holds(
                "D6r",
                "3 nodes, crash, pause",
                BUILT.with(
                    c -> {
                      c.nodes = 3;
                      c.databaseErrors = 0;
                      c.hotQueueMayBeFull = false;
                      c.mayRollBack = false;
                    }))
            .inLongRuns(),
        holds(
            "D9r",
            "a success makes waiting retries due, no faults",
            BUILT.with(
                c -> {
                  c.retriesMadeDue = true;
                  c.noDuplicates = true;
                  c.crashes = 0;
                  c.pauses = 0;
                  c.databaseErrors = 0;
                })),
        holds(
                "D9s",
                "a success makes waiting retries due; crash, pause, database error",
                BUILT.with(
                    c -> {
                      c.retriesMadeDue = true;
                      c.hotQueueMayBeFull = false;
                    }))
            .inLongRuns(),
        holds(
                "D7r",
                "crash, pause, close",
                BUILT.with(
                    c -> {
                      c.closes = 1;
                      c.databaseErrors = 0;
                    }))
            .inLongRuns());
  }

  private static List<Scenario> replays() {
    return List.of(
        violates(
            EVERY_EVENT_ENDS,
            "D4",
            "a replay keeps the token",
            BUILT.with(
                c -> {
                  c.replays = 1;
                  c.replayMovesToken = false;
                  c.listeners(Listener.FAILS);
                  c.databaseErrors = 2;
                  c.endMovesToken = false;
                  c.onlyOwnRows = false;
                  c.max(1);
                })),
        holds(
                "D4r",
                "a replay moves the token on, pause, database error",
                BUILT.with(
                    c -> {
                      c.replays = 1;
                      c.crashes = 0;
                      c.hotQueueMayBeFull = false;
                      c.mayRollBack = false;
                      c.max(1);
                    }))
            .inLongRuns());
  }
}
