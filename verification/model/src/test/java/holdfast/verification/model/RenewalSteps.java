package holdfast.verification.model;

import holdfast.verification.model.Layout.Budget;
import holdfast.verification.model.Layout.OfEntry;
import holdfast.verification.model.Layout.OfNode;
import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Phase;
import holdfast.verification.model.Layout.Place;
import org.jspecify.annotations.Nullable;

/** A node renews its leases. Time does not pass over a renewal that is due. */
final class RenewalSteps {
  private final Setup setup;
  private final Table table;

  RenewalSteps(Setup setup, Table table) {
    this.setup = setup;
    this.table = table;
  }

  boolean renew(State s, int node, Steps out) {
    boolean open = s.phase(node) != Phase.CLOSED || setup.closedNodeRecordsWhatRuns;
    boolean due = setup.renewals && s.get(node, OfNode.TIMER) == 0 && open;
    if (due) {
      for (int drift = 0; drift <= setup.drift; drift++) {
        renewAll(s, node, drift, out);
      }
      if (s.has(Budget.DATABASE_ERROR)) {
        State t = s.spend(Budget.DATABASE_ERROR);
        t.set(node, OfNode.TIMER, setup.renewal);
        out.fault(Step.of(Action.RENEWAL_REFUSED, node), t);
      }
    }
    return arrive(s, node, out) || due;
  }

  private void renewAll(State s, int node, int drift, Steps out) {
    State t = s.copy();
    t.set(node, OfNode.TIMER, setup.renewal);
    Violation violation = null;
    for (Entry entry : s.entriesOf(node)) {
      boolean unleased = setup.plain && entry.isHot() && !s.is(entry.event(), OfRow.CLAIMED);
      if (!table.isRenewed(s.place(entry)) || unleased) {
        continue;
      }
      if (setup.renewalInTwoSteps) {
        t.set(entry, OfEntry.RENEWING, s.is(entry, OfEntry.TOKEN) ? 1 : 2);
      } else {
        Violation found = renewOne(t, entry, drift);
        violation = found == null ? violation : found;
      }
    }
    int step = Step.of(Action.RENEW, node);
    out.add(step, step, t, violation);
  }

  private @Nullable Violation renewOne(State t, Entry entry, int drift) {
    if (!table.holds(t, entry)) {
      t.set(entry, OfEntry.LEASE_LEFT, 0);
      if (t.place(entry) == Place.QUEUED) {
        table.forget(t, entry);
      }
      return null;
    }
    Violation violation = table.ownership(t, entry, "a renewal");
    table.lease(t, entry, drift);
    return violation;
  }

  /** The second step of a renewal, for one row. */
  private boolean arrive(State s, int node, Steps out) {
    boolean any = false;
    for (Entry entry : s.entriesOf(node)) {
      int renewing = s.get(entry, OfEntry.RENEWING);
      if (renewing == 0) {
        continue;
      }
      State t = s.copy();
      t.set(entry, OfEntry.RENEWING, 0);
      Violation violation = null;
      if (table.isOpen(t, entry.event()) && renewing == 1) {
        violation = table.ownership(s, entry, "a renewal on its way");
        table.leaseRow(t, entry);
        if (table.isRenewed(t.place(entry))) {
          t.set(entry, OfEntry.LEASE_LEFT, setup.lease);
        }
      }
      int step = Step.of(Action.RENEWAL_ARRIVES, entry);
      out.add(step, step, t, violation);
      any = true;
    }
    return any;
  }
}
