package holdfast.verification.model;

import static holdfast.verification.model.Property.EVERY_EVENT_ENDS;
import static holdfast.verification.model.Property.INNOCENT_NEVER_DEAD;
import static holdfast.verification.model.Property.KILLS_ARE_BOUNDED;
import static holdfast.verification.model.Scenario.holds;
import static holdfast.verification.model.Scenario.violates;

import holdfast.verification.model.Setup.Listener;
import holdfast.verification.model.Setup.Suspects;
import java.util.List;
import java.util.stream.Stream;

/** Events that kill their JVM or hang, and innocent ones beside them: one suspect at a time. */
final class SuspectScenarios {
  private static final Setup KILLER =
      new Setup()
          .with(
              c -> {
                c.listeners(Listener.KILLS, Listener.SUCCEEDS);
                c.innocentNeverDead = true;
                c.startMargin = 1;
                c.maxKills = 3;
              });
  private static final Setup INNOCENT =
      new Setup()
          .with(
              c -> {
                c.innocentNeverDead = true;
                c.startMargin = 1;
              });
  private static final Setup HANGING =
      new Setup()
          .with(
              c -> {
                c.listeners(Listener.HANGS, Listener.SUCCEEDS);
                c.workers(1);
                c.startMargin = 1;
              });

  private SuspectScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(drafts(), oneAtATime(), killsFromOutside(), hanging()).flatMap(List::stream);
  }

  private static List<Scenario> drafts() {
    return List.of(
        violates(INNOCENT_NEVER_DEAD, "E1", "a suspect is alone in its claim", KILLER),
        violates(
            INNOCENT_NEVER_DEAD,
            "E2",
            "the same, written when its listener starts",
            KILLER.with(c -> c.aloneWrittenAtStart = true)),
        violates(
            INNOCENT_NEVER_DEAD,
            "E4",
            "nothing runs beside a suspect, but it is alone from its claim on",
            KILLER.with(c -> c.suspects = Suspects.NOTHING_BESIDE)),
        violates(
            KILLS_ARE_BOUNDED,
            "E10",
            "lapses never count",
            new Setup()
                .with(
                    c -> {
                      c.listeners(Listener.KILLS);
                      c.noLapseCounts = true;
                      c.maxKills = 5;
                    })),
        violates(
            INNOCENT_NEVER_DEAD,
            "E11",
            "every lapse counts",
            new Setup()
                .with(
                    c -> {
                      c.everyLapseCounts = true;
                      c.innocentNeverDead = true;
                      c.crashes = 2;
                    })));
  }

  private static List<Scenario> oneAtATime() {
    Setup built = KILLER.asBuilt();
    Setup once =
        built.with(
            c -> {
              c.max(1);
              c.maxKills = 2;
            });
    return List.of(
        holds("E4r", "one suspect per JVM, counted at its start: one killer, twice", built)
            .inLongRuns(),
        violates(
            INNOCENT_NEVER_DEAD,
            "E5",
            "as many other killers (1) as lapses are allowed (1) beside a suspect",
            once),
        holds(
                "E5x",
                "nothing at all beside a suspect until its outcome is recorded",
                once.with(c -> c.suspects = Suspects.NOTHING_BESIDE))
            .inLongRuns(),
        holds(
            "E6r",
            "a suspect from its second lapse on",
            built.with(
                c -> {
                  c.lapsesUntilSuspect = 2;
                  c.maxKills = 4;
                  c.nodes = 1;
                })),
        violates(
                INNOCENT_NEVER_DEAD,
                "E7",
                "a release clears the suspicion, one close",
                built.with(
                    c -> {
                      c.closes = 1;
                      c.releaseKeepsSuspicion = false;
                    }))
            .inLongRuns(),
        holds("E7r", "a release keeps the suspicion", built.with(c -> c.closes = 1)).inLongRuns());
  }

  private static List<Scenario> killsFromOutside() {
    Setup built = INNOCENT.asBuilt();
    return List.of(
        holds(
            "E8",
            "2 kills from outside, 3 lapses allowed",
            built.with(
                c -> {
                  c.crashes = 2;
                  c.max(3);
                })),
        violates(
            INNOCENT_NEVER_DEAD,
            "E9",
            "2 kills from outside, 2 lapses allowed (the price of any such rule)",
            built.with(c -> c.crashes = 2)),
        violates(
            INNOCENT_NEVER_DEAD,
            "E9d",
            "first draft, one kill and one pause",
            INNOCENT.with(
                c -> {
                  c.crashes = 1;
                  c.pauses = 1;
                  c.databaseErrors = 1;
                })),
        holds(
            "E12",
            "kills or fails in turn",
            built.with(
                c -> {
                  c.listeners(Listener.KILLS_OR_FAILS);
                  c.maxKills = 5;
                })));
  }

  private static List<Scenario> hanging() {
    Setup built = HANGING.asBuilt();
    return List.of(
        violates(
            EVERY_EVENT_ENDS,
            "H1",
            "a listener hangs, an event is queued behind it for ever",
            built.with(c -> c.longWaitingIsReleased = false)),
        holds("H1r", "what waits too long in a queue is released", built),
        violates(
            EVERY_EVENT_ENDS,
            "H2",
            "nothing runs beside a suspect: one hanging listener holds it for ever",
            built.with(
                c -> {
                  c.nodes = 1;
                  c.workers(2);
                  c.suspects = Suspects.NOTHING_BESIDE;
                })),
        holds("H2r", "one suspect per JVM beside other work", built.with(c -> c.workers(2))));
  }
}
