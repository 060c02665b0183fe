package holdfast.verification.model;

import holdfast.verification.model.Layout.Budget;
import holdfast.verification.model.Layout.OfEntry;
import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Place;
import org.jspecify.annotations.Nullable;

/**
 * Suspects in groups. A node has one group at a time. A suspect that never began as one may be in a
 * group as large as the node's workers; after that, each of its groups is at most half as large as
 * the last one. Right before a member's listener runs, its row gets the size of its group, and a
 * lapse is counted if the size is 1. A group that is refilled takes others in the place of members
 * that have ended, up to the size that it had at first.
 */
final class SuspectGroups {
  private final Setup setup;
  private final Table table;

  SuspectGroups(Setup setup, Table table) {
    this.setup = setup;
    this.table = table;
  }

  /** Whether the node may take no other suspect now. */
  boolean isFull(State s, int node) {
    int members = members(s, node);
    return setup.oneGroupPerNode
        && members > 0
        && (!setup.groupRefilled || members >= size(s, node));
  }

  private int members(State s, int node) {
    int members = 0;
    for (Entry entry : s.entriesOf(node)) {
      members += isMember(s, entry) ? 1 : 0;
    }
    return members;
  }

  private boolean isMember(State s, Entry entry) {
    Place place = s.place(entry);
    boolean ended = place == Place.SUCCEEDED || place == Place.FAILED;
    return !entry.isHot() && s.is(entry, OfEntry.GROUP) && !(ended && !setup.groupEndsWhenRecorded);
  }

  /** The size of the group that the node has; 0 if it has none. */
  private int size(State s, int node) {
    int size = 0;
    for (Entry entry : s.entriesOf(node)) {
      size = Math.max(size, isMember(s, entry) ? s.get(entry, OfEntry.GROUP) : 0);
    }
    return size;
  }

  /** How large the next group of a row may be. */
  static int limit(int lastGroup, int workers, boolean halved) {
    if (lastGroup == 0) {
      return workers;
    }
    return Math.min(workers, halved ? Math.max(1, lastGroup / 2) : lastGroup);
  }

  /** Claims any group that the limits of its members allow. */
  void claim(State s, int node, int candidates, Steps out) {
    int size = setup.groupRefilled ? size(s, node) : 0;
    int free = size - members(s, node);
    for (int group = candidates; group > 0; group = group - 1 & candidates) {
      int count = Integer.bitCount(group);
      if (size == 0) {
        int largest = setup.groupRefilled ? setup.workers[node] : count;
        for (int newSize = count; newSize <= largest; newSize++) {
          claimGroup(s, node, group, newSize, out);
        }
      } else if (count <= free) {
        claimGroup(s, node, group, size, out);
      }
    }
  }

  private boolean isAllowed(State s, int node, int group, int size) {
    for (int event = 0; event < setup.events; event++) {
      int last = s.get(event, OfRow.GROUP);
      if (isIn(group, event) && size > limit(last, setup.workers[node], setup.groupHalved)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIn(int group, int event) {
    return (group >> event & 1) == 1;
  }

  private void claimGroup(State s, int node, int group, int size, Steps out) {
    for (int drift = 0; drift <= setup.drift && isAllowed(s, node, group, size); drift++) {
      State t = s.copy();
      for (int event = 0; event < setup.events; event++) {
        if (isIn(group, event)) {
          take(t, s.entry(node, event, Entry.COLD), size, drift);
        }
      }
      for (int event = 0; event < setup.events; event++) {
        if (isIn(group, event)) { // fair to each member
          int step = Step.of(Action.CLAIM, node, event, Entry.HOT);
          out.add(Step.together(step, group), step, t, null);
        }
      }
      if (s.has(Budget.DATABASE_ERROR) && drift == 0) {
        State u = t.spend(Budget.DATABASE_ERROR);
        forgetAll(u, node, group);
        int step = Step.of(Action.ANSWER_LOST, node, 0, Entry.COLD);
        out.fault(Step.together(step, group), u);
      }
    }
  }

  private void take(State t, Entry entry, int size, int drift) {
    int event = entry.event();
    table.moveToken(t, event);
    t.set(event, OfRow.SUSPICION, Math.max(1, t.get(event, OfRow.SUSPICION)));
    table.take(t, entry, size, drift);
  }

  private void forgetAll(State t, int node, int group) {
    for (int event = 0; event < setup.events; event++) {
      if (isIn(group, event)) {
        table.forget(t, t.entry(node, event, Entry.COLD));
      }
    }
  }

  /** The answer of a claim is one: all members arrive. */
  void arriveTogether(State t, int node, Place place) {
    for (Entry entry : t.entriesOf(node)) {
      if (t.is(entry, OfEntry.GROUP) && t.place(entry) == Place.CLAIM_ON_ITS_WAY) {
        t.place(entry, place);
      }
    }
  }

  /** Writes the start of an entry's group into its row, which the entry holds. */
  void begin(State t, Entry entry) {
    int size = t.get(entry, OfEntry.GROUP);
    if (setup.groupWrittenAtStart) {
      t.set(entry.event(), OfRow.GROUP, size);
    }
    if (size == 1 || !setup.lapseOnlyInGroupOfOne) {
      t.add(entry.event(), OfRow.SUSPICION, 1);
    }
  }

  /** Writes the start of the other members too, in the same statement. */
  @Nullable Violation beginOthers(State t, Entry first, int drift) {
    Violation violation = null;
    for (Entry entry : t.entriesOf(first.node())) {
      boolean waits = t.place(entry) == Place.QUEUED && !t.is(entry, OfEntry.BEGUN);
      if (!t.is(entry, OfEntry.GROUP) || entry.equals(first) || !waits) {
        continue;
      }
      if (table.holds(t, entry)) {
        Violation found = table.ownership(t, entry, "the start of a group");
        violation = found == null ? violation : found;
        begin(t, entry);
        table.lease(t, entry, drift);
        t.set(entry, OfEntry.BEGUN, 1);
      } else {
        table.forget(t, entry);
      }
    }
    return violation;
  }

  /** The answer was lost: the node does not run what it does not know to have begun. */
  void forgetBegun(State t, int node) {
    for (Entry entry : t.entriesOf(node)) {
      if (t.place(entry) == Place.QUEUED && t.is(entry, OfEntry.BEGUN)) {
        table.forget(t, entry);
      }
    }
  }

  /** A listener that was interrupted has ended: its start is no lapse. */
  void takeBackLapse(State t, Entry entry) {
    boolean counted = t.get(entry, OfEntry.GROUP) == 1 && t.is(entry, OfEntry.BEGUN);
    if (setup.interruptedLapseIsTakenBack && counted) {
      t.add(entry.event(), OfRow.SUSPICION, -1);
    }
  }
}
