package holdfast.verification.model;

import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Phase;
import holdfast.verification.model.Layout.Place;
import org.jspecify.annotations.Nullable;

/** A node that closes: until its deadline, while it releases what it has, and after that. */
final class CloseSteps {
  private final Setup setup;
  private final Table table;

  CloseSteps(Setup setup, Table table) {
    this.setup = setup;
    this.table = table;
  }

  void close(State s, int node, Steps out) {
    Phase phase = s.phase(node);
    if (phase == Phase.CLOSING) {
      State t = s.copy();
      t.phase(node, Phase.RELEASING);
      out.add(Step.of(Action.CLOSE_DEADLINE, node), t);
    }
    if (phase == Phase.RELEASING && isReleased(s, node)) {
      State t = s.copy();
      t.phase(node, Phase.CLOSED);
      out.add(Step.of(Action.CLOSED, node), t);
    }
    if (phase == Phase.CLOSED && isEmpty(s, node)) {
      State t = s.copy();
      table.die(t, node);
      int step = Step.of(Action.EXIT, node);
      out.add(step, step, t, leftBehind(s, node));
    }
  }

  private boolean isReleased(State s, int node) {
    for (Entry entry : s.entriesOf(node)) {
      Place place = s.place(entry);
      boolean callersTurn = place == Place.TRANSACTION || place == Place.AFTER_COMMIT;
      boolean stillToRelease =
          place == Place.RUNNING ? isReleasable(s, entry) : place != Place.NOWHERE;
      if (!callersTurn && stillToRelease) {
        return false;
      }
    }
    return true;
  }

  /** Whether the row of an event that runs is to be released all the same. */
  boolean isReleasable(State s, Entry entry) {
    return setup.closeReleasesWhatRuns
        && s.is(entry.event(), OfRow.CLAIMED)
        && table.holds(s, entry);
  }

  private static boolean isEmpty(State s, int node) {
    for (Entry entry : s.entriesOf(node)) {
      if (s.place(entry) != Place.NOWHERE) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Violation leftBehind(State s, int node) {
    for (int event = setup.events - 1; setup.cleanClose && event >= 0; event--) {
      if (table.isOpen(s, event)
          && s.is(event, OfRow.CLAIMED)
          && s.get(event, OfRow.OWNER) == node
          && s.get(event, OfRow.DUE_IN) > 0
          && !s.is(event, OfRow.STARTED)) {
        return Property.CLEAN_CLOSE.violated(
            "%s stays leased to a closed node until the lease expires", Step.nameOfEvent(event));
      }
    }
    return null;
  }
}
