package holdfast.verification.model;

import holdfast.verification.model.Layout.Budget;
import holdfast.verification.model.Layout.OfEntry;
import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Phase;
import holdfast.verification.model.Layout.Place;
import holdfast.verification.model.Setup.Listener;
import holdfast.verification.model.Setup.Suspects;
import org.jspecify.annotations.Nullable;

/** From the queue to the listener: the start check and the start. */
final class StartSteps {
  private final Setup setup;
  private final Table table;
  private final SuspectGroups groups;
  private final StartProperties properties;

  StartSteps(Setup setup, Table table, SuspectGroups groups) {
    this.setup = setup;
    this.table = table;
    this.groups = groups;
    this.properties = new StartProperties(setup, table);
  }

  void queued(State s, Entry entry, Steps out) {
    boolean releasing = s.phase(entry.node()) == Phase.RELEASING;
    if (releasing || setup.longWaitingIsReleased) {
      State t = s.copy();
      t.place(entry, Place.TO_RELEASE);
      out.add(Step.of(Action.WAIT_TOO_LONG, entry), t);
    }
    if (!releasing && hasFreeWorker(s, entry)) {
      check(s, entry, out);
    }
  }

  private boolean hasFreeWorker(State s, Entry entry) {
    int busy = table.busyWorkers(s, entry.node());
    if (busy >= setup.workers[entry.node()]) {
      return false;
    }
    boolean waitsForOthers = s.is(entry, OfEntry.GROUP) && busy > 0;
    return setup.suspects != Suspects.NOTHING_BESIDE
        || !(waitsForOthers || suspectHasBegun(s, entry.node()));
  }

  private static boolean suspectHasBegun(State s, int node) {
    for (Entry entry : s.entriesOf(node)) {
      Place place = s.place(entry);
      if (place.isReserved() && place != Place.QUEUED && s.is(entry, OfEntry.GROUP)) {
        return true;
      }
    }
    return false;
  }

  private void check(State s, Entry entry, Steps out) {
    int step = Step.of(Action.CHECK, entry);
    if (!asksTable(s, entry)) {
      State t = s.copy();
      t.place(entry, Place.CHECKED);
      out.add(step, t);
      return;
    }
    for (int drift = 0; drift <= setup.drift; drift++) {
      State t = s.copy();
      Violation violation = askTable(t, entry, drift);
      out.add(step, step, t, violation);
      if (s.has(Budget.DATABASE_ERROR) && setup.suspects == Suspects.GROUPS && drift == 0) {
        State u = t.spend(Budget.DATABASE_ERROR);
        table.forget(u, entry);
        if (writesStart(s, entry)) {
          groups.forgetBegun(u, entry.node());
        }
        out.fault(Step.of(Action.ANSWER_LOST, entry), u);
      }
    }
    if (s.has(Budget.DATABASE_ERROR)) {
      State t = s.spend(Budget.DATABASE_ERROR);
      table.forget(t, entry);
      out.fault(Step.of(Action.CHECK_REFUSED, entry), t);
    }
  }

  private boolean asksTable(State s, Entry entry) {
    boolean unleased = setup.plain && entry.isHot();
    if (!setup.startCheck || (unleased && !setup.plainRowsHaveAge)) {
      return false;
    }
    int margin = unleased ? 0 : setup.startMargin;
    boolean headAsked = setup.ordered && setup.headCheckOnHotPath && entry.isHot();
    return s.get(entry, OfEntry.LEASE_LEFT) <= margin || headAsked || writesStart(s, entry);
  }

  private boolean writesStart(State s, Entry entry) {
    return s.is(entry, OfEntry.GROUP)
        && !s.is(entry, OfEntry.BEGUN)
        && (setup.aloneWrittenAtStart || setup.lapsesCountedApart);
  }

  private @Nullable Violation askTable(State t, Entry entry, int drift) {
    if (!table.holds(t, entry)) {
      table.forget(t, entry);
      return null;
    }
    if (!table.isHead(t, entry.event())) {
      t.place(entry, setup.waitsInWorker ? Place.WAITING_IN_WORKER : Place.TO_RELEASE);
      return null;
    }
    Violation violation = table.ownership(t, entry, "the start check");
    table.lease(t, entry, drift);
    t.place(entry, Place.CHECKED);
    if (writesStart(t, entry)) {
      Violation ofOthers = writeStart(t, entry, drift);
      return violation == null ? ofOthers : violation;
    }
    return violation;
  }

  private @Nullable Violation writeStart(State t, Entry entry, int drift) {
    if (setup.suspects == Suspects.GROUPS) {
      groups.begin(t, entry);
      return setup.groupWrittenForAllAtOnce ? groups.beginOthers(t, entry, drift) : null;
    }
    if (setup.lapsesCountedApart) {
      t.add(entry.event(), OfRow.SUSPICION, 1);
    } else {
      t.set(entry.event(), OfRow.ALONE, 1);
    }
    return null;
  }

  void waitingInWorker(State s, Entry entry, Steps out) {
    if (table.isHead(s, entry.event())) {
      State t = s.copy();
      t.place(entry, Place.CHECKED);
      out.add(Step.of(Action.CHECK, entry), t);
    }
  }

  boolean start(State s, Entry entry, Steps out) {
    int event = entry.event();
    int step = Step.of(Action.START, entry);
    Violation violation = properties.violatedBy(s, entry);
    if (setup.hasListener(event, Listener.KILLS, Listener.KILLS_OR_FAILS)) {
      State t = started(s, entry);
      Violation tooMany = kill(t, entry);
      out.add(Step.of(Action.KILL, entry), step, t, tooMany == null ? violation : tooMany);
    }
    if (setup.listeners[event] != Listener.KILLS) {
      boolean alsoKills = setup.listeners[event] == Listener.KILLS_OR_FAILS;
      out.add(step, step, started(s, entry), alsoKills ? null : violation);
    }
    return true;
  }

  private static State started(State s, Entry entry) {
    State t = s.copy();
    t.place(entry, Place.RUNNING);
    t.set(entry.event(), OfRow.STARTED, 1);
    return t;
  }

  /** The listener ends its JVM. */
  @Nullable Violation kill(State t, Entry entry) {
    int kills = Math.min(100, t.get(entry.event(), OfRow.KILLS) + 1);
    t.set(entry.event(), OfRow.KILLS, kills);
    table.die(t, entry.node());
    return kills <= setup.maxKills
        ? null
        : Property.KILLS_ARE_BOUNDED.violated(
            "%s has killed %d JVMs and is not DEAD, the bound is %d",
            Step.nameOfEvent(entry.event()), kills, setup.maxKills);
  }
}
