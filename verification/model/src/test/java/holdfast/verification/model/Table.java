package holdfast.verification.model;

import holdfast.verification.model.Layout.OfEntry;
import holdfast.verification.model.Layout.OfNode;
import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Phase;
import holdfast.verification.model.Layout.Place;
import holdfast.verification.model.Layout.Status;
import holdfast.verification.model.Layout.Transaction;
import org.jspecify.annotations.Nullable;

/** What statements ask of rows and change in them, and what becomes of a node's entries. */
final class Table {
  private static final OfEntry[] FIELDS = OfEntry.values();

  private final Setup setup;

  Table(Setup setup) {
    this.setup = setup;
  }

  boolean isOpen(State s, int event) {
    Status status = s.status(event);
    return s.transaction(event) == Transaction.COMMITTED
        && (status == Status.NEW || status == Status.RETRY);
  }

  /** Whether a statement of this entry touches the row. */
  boolean holds(State s, Entry entry) {
    return isOpen(s, entry.event()) && (!setup.fenced || s.is(entry, OfEntry.TOKEN));
  }

  boolean isHead(State s, int event) {
    for (int other = 0; setup.ordered && other < setup.events; other++) {
      if (isBefore(s, other, event) && isInTheWay(s, other)) {
        return false;
      }
    }
    return true;
  }

  boolean isBefore(State s, int other, int event) {
    return other != event
        && setup.aggregate[other] == setup.aggregate[event]
        && s.transaction(other) == Transaction.COMMITTED
        && s.get(other, OfRow.NUMBER) < s.get(event, OfRow.NUMBER);
  }

  private boolean isInTheWay(State s, int event) {
    return switch (s.status(event)) {
      case NEW, RETRY -> true;
      case DEAD -> !setup.skipDead;
      case DONE -> false;
    };
  }

  /** Gives the row a new token, so that no statement on its way finds it. */
  void moveToken(State t, int event) {
    for (int node = 0; node < setup.nodes; node++) {
      for (int path = Entry.HOT; path <= Entry.COLD; path++) {
        Entry entry = t.entry(node, event, path);
        t.set(entry, OfEntry.TOKEN, 0);
        if (t.get(entry, OfEntry.RENEWING) == 1) {
          t.set(entry, OfEntry.RENEWING, 2);
        }
      }
    }
  }

  /** Leases the row to the entry's node; a drift is what the node's clock runs behind. */
  void lease(State t, Entry entry, int drift) {
    leaseRow(t, entry);
    t.set(entry, OfEntry.LEASE_LEFT, setup.lease + drift);
  }

  /** Claims the row for the entry, in a group of that size; 0 if it is no suspect. */
  void take(State t, Entry entry, int group, int drift) {
    lease(t, entry, drift);
    t.place(entry, Place.CLAIM_ON_ITS_WAY);
    t.set(entry, OfEntry.TOKEN, 1);
    t.set(entry, OfEntry.GROUP, group);
  }

  void leaseRow(State t, Entry entry) {
    t.set(entry.event(), OfRow.DUE_IN, setup.lease);
    t.set(entry.event(), OfRow.CLAIMED, 1);
    t.set(entry.event(), OfRow.OWNER, entry.node());
  }

  void release(State t, int event) {
    t.set(event, OfRow.CLAIMED, 0);
    t.set(event, OfRow.DUE_IN, 0);
    t.set(event, OfRow.ALONE, 0);
    if (!setup.releaseKeepsSuspicion) {
      t.set(event, OfRow.SUSPICION, 0);
      t.set(event, OfRow.GROUP, 0);
    }
    if (!setup.claimWritesSuspicion && !t.is(event, OfRow.GROUP)) {
      t.set(event, OfRow.SUSPICION, 0); // nothing but the claim said that it was a suspect
    }
    if (setup.endMovesToken) {
      moveToken(t, event);
    }
  }

  void done(State t, int event) {
    end(t, event, Status.DONE, 0);
  }

  void retry(State t, int event) {
    end(t, event, Status.RETRY, 1);
  }

  @Nullable Violation dead(State t, int event, boolean byLapses) {
    end(t, event, Status.DEAD, 0);
    Setup.Listener listener = setup.listeners[event];
    String name = Step.nameOfEvent(event);
    if (setup.innocentNeverDead && listener == Setup.Listener.SUCCEEDS) {
      return Property.INNOCENT_NEVER_DEAD.violated(
          "%s never failed and never killed a JVM, yet it is DEAD", name);
    }
    int failures = t.get(event, OfRow.FAILURES);
    if (!byLapses
        && failures < setup.maxAttempts
        && !t.is(event, OfRow.KILLS)
        && listener != Setup.Listener.SUCCEEDS) {
      return Property.EVERY_EVENT_ENDS.violated(
          "%s is DEAD after %d failed deliveries, maxAttempts is %d",
          name, failures, setup.maxAttempts);
    }
    return null;
  }

  private static void end(State t, int event, Status status, int dueIn) {
    t.status(event, status);
    t.set(event, OfRow.DUE_IN, dueIn);
    t.set(event, OfRow.CLAIMED, 0);
    t.set(event, OfRow.ALONE, 0);
    t.set(event, OfRow.SUSPICION, 0);
    t.set(event, OfRow.GROUP, 0);
  }

  @Nullable Violation ownership(State s, Entry entry, String what) {
    int event = entry.event();
    boolean own = s.is(event, OfRow.CLAIMED) && s.get(event, OfRow.OWNER) == entry.node();
    if (!setup.onlyOwnRows || setup.plain || own) {
      return null;
    }
    return Property.ONLY_OWN_ROWS.violated(
        "%s of %s changes %s, which it no longer owns",
        what, Step.nameOfNode(entry.node()), Step.nameOfEvent(event));
  }

  /** The node forgets the event. A statement on its way stays on its way. */
  void forget(State t, Entry entry) {
    int renewing = t.get(entry, OfEntry.RENEWING);
    for (OfEntry field : FIELDS) {
      t.set(entry, field, 0);
    }
    t.set(entry, OfEntry.RENEWING, renewing);
  }

  /** Everything in the node's memory is gone. */
  void die(State t, int node) {
    for (Entry entry : t.entriesOf(node)) {
      if (t.place(entry) == Place.TRANSACTION) {
        t.transaction(entry.event(), Transaction.ROLLED_BACK);
      }
      forget(t, entry);
      t.set(entry, OfEntry.RENEWING, 0);
    }
    t.phase(node, Phase.DOWN);
    t.set(node, OfNode.PAUSED, 0);
    t.set(node, OfNode.TIMER, 0);
  }

  boolean isRenewed(Place place) {
    return switch (place) {
      case QUEUED, CHECKED, RUNNING, FAILED, WAITING_IN_WORKER -> true;
      case SUCCEEDED -> setup.unrecordedIsRenewed;
      default -> false;
    };
  }

  int busyWorkers(State s, int node) {
    int busy = 0;
    for (Entry entry : s.entriesOf(node)) {
      busy += s.place(entry).occupiesWorker() ? 1 : 0;
    }
    return busy;
  }
}
