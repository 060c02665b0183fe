package holdfast.verification.model;

import holdfast.verification.model.Layout.Budget;
import holdfast.verification.model.Layout.OfEntry;
import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Phase;
import holdfast.verification.model.Layout.Place;
import holdfast.verification.model.Setup.Reserved;
import holdfast.verification.model.Setup.Suspects;

/** A node claims due events, ordinary ones and suspects, and the claim's answer arrives. */
final class ClaimSteps {
  /** The fairness of a claim that takes a row and puts it back: it is nobody's claim. */
  private static final int NO_EVENT = 3;

  private final Setup setup;
  private final Table table;
  private final SuspectGroups groups;

  ClaimSteps(Setup setup, Table table, SuspectGroups groups) {
    this.setup = setup;
    this.table = table;
    this.groups = groups;
  }

  void claim(State s, int node, Steps out) {
    if (s.phase(node) != Phase.UP) {
      return;
    }
    boolean full = groups.isFull(s, node);
    int members = 0;
    for (int event = 0; event < setup.events; event++) {
      if (!isClaimable(s, node, event)) {
        continue;
      }
      boolean suspect = suspicion(s, event) >= setup.lapsesUntilSuspect;
      if (suspect && setup.suspects != Suspects.CLAIMED_SINGLY && full) {
        continue;
      }
      if (suspect && setup.suspects == Suspects.GROUPS && !isDead(s, event)) {
        members |= 1 << event;
      } else {
        claimOne(s, s.entry(node, event, Entry.COLD), suspect, out);
      }
      if (!setup.headCheckInClaim) {
        break; // LIMIT 1, in the order of the index
      }
    }
    groups.claim(s, node, members, out);
  }

  private boolean isClaimable(State s, int node, int event) {
    boolean reservedHere =
        setup.reserved == Reserved.ASKED_BEFORE_THE_CLAIM
            && s.place(s.entry(node, event, Entry.HOT)).isReserved();
    return table.isOpen(s, event)
        && s.get(event, OfRow.DUE_IN) == 0
        && s.place(s.entry(node, event, Entry.COLD)) == Place.NOWHERE
        && (!setup.headCheckInClaim || table.isHead(s, event))
        && !reservedHere;
  }

  /** The suspicion that a claim writes: an expired lease makes a suspect. */
  private int suspicion(State s, int event) {
    int before = s.get(event, OfRow.SUSPICION);
    boolean lapsed = s.is(event, OfRow.CLAIMED);
    return lapsed && before < setup.lapsesUntilSuspect ? before + 1 : before;
  }

  private boolean isDead(State s, int event) {
    return setup.lapsesCountedApart
        && suspicion(s, event) >= setup.lapsesUntilSuspect + setup.maxLapses;
  }

  private boolean lapseIsAttempt(State s, int event) {
    boolean wasAlone = s.is(event, OfRow.ALONE) && !setup.noLapseCounts;
    return !setup.lapsesCountedApart
        && s.is(event, OfRow.CLAIMED)
        && (setup.everyLapseCounts || wasAlone);
  }

  private void claimOne(State s, Entry entry, boolean suspect, Steps out) {
    int event = entry.event();
    int step = Step.of(Action.CLAIM, entry.node(), event, Entry.HOT);
    if (!table.isHead(s, event)) { // LIMIT 1 before the head check
      State t = s.copy();
      table.moveToken(t, event);
      t.set(event, OfRow.CLAIMED, 0);
      out.add(step, Step.of(Action.CLAIM, entry.node(), NO_EVENT, Entry.HOT), t, null);
      return;
    }
    State claimed = s.copy();
    table.moveToken(claimed, event);
    claimed.add(event, OfRow.ATTEMPTS, lapseIsAttempt(s, event) ? 1 : 0);
    claimed.set(event, OfRow.SUSPICION, suspicion(s, event));
    if (claimed.get(event, OfRow.ATTEMPTS) >= setup.maxAttempts || isDead(s, event)) {
      Violation violation = table.dead(claimed, event, setup.lapsesCountedApart);
      out.add(step, step, claimed, violation);
      return;
    }
    boolean aloneNow = suspect && !setup.aloneWrittenAtStart && !setup.lapsesCountedApart;
    claimed.set(event, OfRow.ALONE, aloneNow ? 1 : 0);
    for (int drift = 0; drift <= setup.drift; drift++) {
      State t = claimed.copy();
      table.take(t, entry, suspect ? 1 : 0, drift);
      out.add(step, t);
      if (s.has(Budget.DATABASE_ERROR) && drift == 0) {
        State u = t.spend(Budget.DATABASE_ERROR);
        table.forget(u, entry);
        out.fault(Step.of(Action.ANSWER_LOST, entry), u);
      }
    }
  }

  boolean arrive(State s, Entry entry, Steps out) {
    State t = s.copy();
    Entry hot = s.entry(entry.node(), entry.event(), Entry.HOT);
    if (s.place(hot).isReserved() && setup.reserved != Reserved.ASKED_BEFORE_THE_CLAIM) {
      if (setup.reserved == Reserved.TAKES_NEW_TOKEN) {
        t.set(hot, OfEntry.TOKEN, s.get(entry, OfEntry.TOKEN));
        t.set(hot, OfEntry.LEASE_LEFT, s.get(entry, OfEntry.LEASE_LEFT));
        t.set(hot, OfEntry.GROUP, s.get(entry, OfEntry.GROUP));
      }
      table.forget(t, entry);
    } else {
      Place place = s.phase(entry.node()) == Phase.UP ? Place.QUEUED : Place.TO_RELEASE;
      t.place(entry, place);
      if (setup.suspects == Suspects.GROUPS && s.is(entry, OfEntry.GROUP)) {
        groups.arriveTogether(t, entry.node(), place);
      }
    }
    out.add(Step.of(Action.CLAIM_ARRIVES, entry), t);
    return true;
  }
}
