package holdfast.verification.model;

import holdfast.verification.model.Layout.Budget;
import holdfast.verification.model.Layout.OfEntry;
import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Phase;
import holdfast.verification.model.Layout.Place;
import holdfast.verification.model.Layout.Status;
import holdfast.verification.model.Layout.Transaction;

/** From the INSERT to the hot queue. */
final class PublishSteps {
  private final Setup setup;
  private final Table table;

  PublishSteps(Setup setup, Table table) {
    this.setup = setup;
    this.table = table;
  }

  void publish(State s, int node, Steps out) {
    for (int event = 0; event < setup.events; event++) {
      if (s.transaction(event) == Transaction.NONE
          && setup.publisher[event] == node
          && s.phase(node) != Phase.CLOSED
          && !isLikeOneBefore(s, event)
          && !(setup.lockedNumber && isNumberLocked(s, event))) {
        insert(s, node, event, out);
      }
    }
  }

  /** Of events that differ in nothing, the first is published first. */
  private boolean isLikeOneBefore(State s, int event) {
    return event > 0
        && !setup.ordered
        && s.transaction(event - 1) == Transaction.NONE
        && setup.publisher[event] == setup.publisher[event - 1]
        && setup.listeners[event] == setup.listeners[event - 1];
  }

  boolean isNumberLocked(State s, int event) {
    for (int other = 0; setup.ordered && other < setup.events; other++) {
      if (setup.aggregate[other] == setup.aggregate[event]
          && s.transaction(other) == Transaction.OPEN) {
        return true;
      }
    }
    return false;
  }

  int nextNumber(State s, int event) {
    int last = 0;
    for (int other = 0; other < setup.events; other++) {
      Transaction transaction = s.transaction(other);
      boolean seen =
          transaction == Transaction.COMMITTED
              || transaction == Transaction.PURGED
              || (transaction == Transaction.OPEN && !setup.lockedNumber);
      if (setup.aggregate[other] == setup.aggregate[event] && seen) {
        last = Math.max(last, s.get(other, OfRow.NUMBER));
      }
    }
    return last + 1;
  }

  private void insert(State s, int node, int event, Steps out) {
    int number = setup.ordered ? nextNumber(s, event) : 0;
    int step = Step.of(Action.PUBLISH, node, event, Entry.HOT);
    for (int drift = 0; drift <= setup.drift; drift++) {
      for (int gone = 0; gone <= (setup.clockStandsInTransaction ? setup.lease : 0); gone++) {
        State t = s.copy();
        t.transaction(event, Transaction.OPEN);
        t.status(event, Status.NEW);
        t.set(event, OfRow.NUMBER, number);
        leaseOnInsert(t, node, event, drift, gone);
        out.add(step, t);
      }
    }
  }

  private void leaseOnInsert(State t, int node, int event, int drift, int gone) {
    boolean up = t.phase(node) == Phase.UP;
    boolean leased = up && setup.leasedOnInsert && !setup.plain;
    int age = setup.plain ? 1 : 0;
    t.set(event, OfRow.DUE_IN, leased ? setup.lease - gone : age);
    t.set(event, OfRow.CLAIMED, leased ? 1 : 0);
    t.set(event, OfRow.OWNER, leased ? node : 0);
    Entry entry = t.entry(node, event, Entry.HOT);
    int left = setup.standingClockKnown ? 0 : setup.lease + drift;
    t.place(entry, Place.TRANSACTION);
    t.set(entry, OfEntry.TOKEN, up ? 1 : 0);
    t.set(entry, OfEntry.WANTED_HOT, up ? 1 : 0);
    t.set(entry, OfEntry.LEASE_LEFT, leased ? left : age);
  }

  void inTransaction(State s, Entry entry, Steps out) {
    int event = entry.event();
    State t = s.copy();
    t.transaction(event, Transaction.COMMITTED);
    t.place(entry, Place.AFTER_COMMIT);
    if (!setup.leaseMeasuredBeforeInsert && s.is(entry, OfEntry.WANTED_HOT)) {
      t.set(entry, OfEntry.LEASE_LEFT, setup.lease);
    }
    out.add(Step.of(Action.COMMIT, entry), t);
    if (setup.mayRollBack) {
      State u = s.copy();
      u.transaction(event, Transaction.ROLLED_BACK);
      table.forget(u, entry);
      out.fault(Step.of(Action.ROLL_BACK, entry), u);
    }
    if (setup.savepoint) {
      State u = s.copy();
      u.transaction(event, Transaction.ROLLED_BACK);
      u.place(entry, Place.AFTER_COMMIT);
      if (setup.savepointSeen) {
        table.forget(u, entry);
      }
      out.fault(Step.of(Action.SAVEPOINT_ROLLED_BACK, entry), u);
    }
    if (s.has(Budget.DATABASE_ERROR)) {
      State u = t.spend(Budget.DATABASE_ERROR);
      table.forget(u, entry);
      out.fault(Step.of(Action.ANSWER_LOST, entry), u);
    }
  }

  void afterCommit(State s, Entry entry, Steps out) {
    Phase phase = s.phase(entry.node());
    boolean hot = s.is(entry, OfEntry.WANTED_HOT);
    int enqueue = Step.of(Action.ENQUEUE, entry);
    if (phase == Phase.CLOSED) {
      out.add(Step.of(Action.CALLBACK_AFTER_CLOSE, entry), enqueue, afterClose(s, entry), null);
      return;
    }
    if (phase == Phase.UP) {
      State t = s.copy();
      if (hot && !isKnown(s, s.entry(entry.node(), entry.event(), Entry.COLD))) {
        t.place(entry, Place.QUEUED);
      } else {
        table.forget(t, entry);
      }
      out.add(enqueue, t);
    }
    if (setup.hotQueueMayBeFull || phase != Phase.UP) {
      State t = s.copy();
      if (hot && !setup.refusedIsNotReleased) {
        t.place(entry, Place.TO_RELEASE);
      } else {
        table.forget(t, entry);
      }
      out.add(Step.of(Action.REFUSE, entry), enqueue, t, null);
    }
  }

  private State afterClose(State s, Entry entry) {
    State t = s.copy();
    if (setup.lateCallbackReleases && table.holds(t, entry)) {
      table.release(t, entry.event());
    }
    table.forget(t, entry);
    return t;
  }

  private boolean isKnown(State s, Entry cold) {
    Place place = s.place(cold);
    return place.isReserved()
        || (setup.reserved == Setup.Reserved.ASKED_BEFORE_THE_CLAIM && place != Place.NOWHERE);
  }
}
