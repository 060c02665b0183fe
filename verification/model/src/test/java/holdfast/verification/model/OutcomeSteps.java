package holdfast.verification.model;

import holdfast.verification.model.Layout.Budget;
import holdfast.verification.model.Layout.OfEntry;
import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Phase;
import holdfast.verification.model.Layout.Place;
import holdfast.verification.model.Setup.Listener;
import org.jspecify.annotations.Nullable;

/** What a listener's run ends with, and how its outcome gets into the table. */
final class OutcomeSteps {
  private final Setup setup;
  private final Table table;
  private final SuspectGroups groups;
  private final StartSteps starts;
  private final CloseSteps closes;

  OutcomeSteps(
      Setup setup, Table table, SuspectGroups groups, StartSteps starts, CloseSteps closes) {
    this.setup = setup;
    this.table = table;
    this.groups = groups;
    this.starts = starts;
    this.closes = closes;
  }

  void running(State s, Entry entry, Steps out) {
    Phase phase = s.phase(entry.node());
    int event = entry.event();
    if (phase == Phase.RELEASING) {
      closing(s, entry, out);
    }
    if (setup.listeners[event] == Listener.HANGS) {
      if (phase == Phase.CLOSED) {
        State t = s.copy();
        table.forget(t, entry);
        out.add(Step.of(Action.INTERRUPT, entry), t);
      }
      return;
    }
    if (setup.hasListener(event, Listener.SUCCEEDS, Listener.SUCCEEDS_OR_FAILS)) {
      State t = ended(s, entry, Place.SUCCEEDED);
      t.set(event, OfRow.SUCCEEDED, 1);
      out.add(Step.of(Action.SUCCEED, entry), t);
    }
    if (setup.hasListener(
        event, Listener.FAILS, Listener.SUCCEEDS_OR_FAILS, Listener.KILLS_OR_FAILS)) {
      State t = ended(s, entry, Place.FAILED);
      t.set(event, OfRow.FAILURES, Math.min(setup.maxAttempts, t.get(event, OfRow.FAILURES) + 1));
      out.add(Step.of(Action.FAIL, entry), Step.of(Action.SUCCEED, entry), t, null);
    }
    if (setup.listeners[event] == Listener.KILLS_LATE) {
      State t = s.copy();
      Violation violation = starts.kill(t, entry);
      out.add(Step.of(Action.KILL, entry), Step.of(Action.SUCCEED, entry), t, violation);
    }
  }

  private void closing(State s, Entry entry, Steps out) {
    if (closes.isReleasable(s, entry)) {
      State t = s.copy();
      table.release(t, entry.event());
      if (!setup.endMovesToken) {
        t.set(entry, OfEntry.TOKEN, 1);
      }
      out.add(Step.of(Action.RELEASE, entry), t);
    }
    if (setup.interruptedIsReleased) {
      State t = s.copy();
      t.place(entry, Place.TO_RELEASE);
      t.set(entry, OfEntry.BEGUN, 1);
      out.add(Step.of(Action.INTERRUPT, entry), t);
    }
  }

  private State ended(State s, Entry entry, Place place) {
    State t = s.copy();
    t.place(entry, place);
    if (s.phase(entry.node()) == Phase.CLOSED && !setup.closedNodeRecordsWhatRuns) {
      table.forget(t, entry);
    }
    return t;
  }

  void recordDone(State s, Entry entry, Steps out) {
    State t = s.copy();
    Violation violation = null;
    if (table.holds(s, entry)) {
      violation = table.ownership(s, entry, "the outcome DONE");
      table.done(t, entry.event());
    }
    record(t, entry, Action.RECORD_DONE, violation, out);
    if (s.has(Budget.DATABASE_ERROR)) {
      State u = s.spend(Budget.DATABASE_ERROR);
      if (setup.failedRecordIsFailure) {
        u.place(entry, Place.FAILED);
      }
      out.fault(Step.of(Action.REFUSED_BY_DATABASE, entry), u);
    }
  }

  /** Whether time waits for it: a failure is recorded at once. */
  boolean recordRetry(State s, Entry entry, Steps out) {
    State t = s.copy();
    Violation violation = null;
    if (table.holds(s, entry)) {
      violation = table.ownership(s, entry, "the outcome RETRY");
      Violation wrongEnd = fail(t, entry.event());
      violation = violation == null ? wrongEnd : violation;
    }
    record(t, entry, Action.RECORD_RETRY, violation, out);
    if (s.has(Budget.DATABASE_ERROR)) {
      State u = s.spend(Budget.DATABASE_ERROR);
      out.fault(Step.of(Action.REFUSED_BY_DATABASE, entry), u);
    }
    return setup.databaseErrors == 0;
  }

  private @Nullable Violation fail(State t, int event) {
    t.add(event, OfRow.ATTEMPTS, 1);
    Violation violation = null;
    if (t.get(event, OfRow.ATTEMPTS) >= setup.maxAttempts) {
      violation = table.dead(t, event, false);
    } else {
      table.retry(t, event);
    }
    if (setup.endMovesToken) {
      table.moveToken(t, event);
    }
    return violation;
  }

  void release(State s, Entry entry, Steps out) {
    State t = s.copy();
    Violation violation = null;
    if (table.holds(s, entry)) {
      boolean expected = setup.onlyOwnRows && !s.is(entry.event(), OfRow.CLAIMED);
      violation = expected ? null : table.ownership(s, entry, "a release");
      groups.takeBackLapse(t, entry);
      table.release(t, entry.event());
    }
    record(t, entry, Action.RELEASE, violation, out);
    if (s.has(Budget.DATABASE_ERROR)) {
      State u = s.spend(Budget.DATABASE_ERROR);
      table.forget(u, entry);
      out.fault(Step.of(Action.REFUSED_BY_DATABASE, entry), u);
    }
  }

  /** The update is done; its answer comes, or is lost and the update will be repeated. */
  private void record(
      State done, Entry entry, Action action, @Nullable Violation violation, Steps out) {
    State t = done.copy();
    table.forget(t, entry);
    int step = Step.of(action, entry);
    out.add(step, step, t, violation);
    if (done.has(Budget.DATABASE_ERROR)) {
      State lost = done.spend(Budget.DATABASE_ERROR);
      out.add(Step.of(Action.ANSWER_LOST, entry), Step.UNFAIR, lost, violation);
    }
  }
}
