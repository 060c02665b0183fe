package holdfast.verification.model;

import holdfast.verification.model.Layout.Budget;
import holdfast.verification.model.Layout.OfEntry;
import holdfast.verification.model.Layout.OfNode;
import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Phase;
import holdfast.verification.model.Layout.Status;
import holdfast.verification.model.Layout.Transaction;

/**
 * The rules of the delivery protocol: which steps a state allows. Time passes only when nothing
 * urgent is left to do; a paused node has nothing urgent.
 */
final class Protocol {
  private final Setup setup;
  private final Layout layout;
  private final Table table;
  private final PublishSteps publishing;
  private final ClaimSteps claims;
  private final RenewalSteps renewals;
  private final CloseSteps closes;
  private final StartSteps starts;
  private final OutcomeSteps outcomes;

  Protocol(Setup setup) {
    this.setup = setup;
    layout = new Layout(setup);
    table = new Table(setup);
    SuspectGroups groups = new SuspectGroups(setup, table);
    publishing = new PublishSteps(setup, table);
    claims = new ClaimSteps(setup, table, groups);
    renewals = new RenewalSteps(setup, table);
    closes = new CloseSteps(setup, table);
    starts = new StartSteps(setup, table, groups);
    outcomes = new OutcomeSteps(setup, table, groups, starts, closes);
  }

  Layout layout() {
    return layout;
  }

  State initial() {
    State s = new State(layout, new byte[layout.size()]);
    s.grant(Budget.CRASH, setup.crashes);
    s.grant(Budget.PAUSE, setup.pauses);
    s.grant(Budget.DATABASE_ERROR, setup.databaseErrors);
    s.grant(Budget.CLOSE, setup.closes);
    s.grant(Budget.REPLAY, setup.replays);
    for (int node = 0; node < setup.nodes; node++) {
      s.phase(node, Phase.UP);
      s.set(node, OfNode.TIMER, setup.renewal);
    }
    for (int event = 0; setup.startsWithRows() && event < setup.events; event++) {
      s.transaction(event, Transaction.COMMITTED);
      s.set(event, OfRow.CLAIMED, setup.lapsedAtStart ? 1 : 0);
    }
    return s;
  }

  void next(State s, Steps out) {
    boolean urgent = false;
    for (int node = 0; node < setup.nodes; node++) {
      urgent |= node(s, node, out);
    }
    for (int event = 0; event < setup.events; event++) {
      operate(s, event, out);
      retryNow(s, event, out);
    }
    if (!urgent) {
      passTime(s, out);
    }
  }

  private boolean node(State s, int node, Steps out) {
    if (s.phase(node) == Phase.DOWN) {
      State t = s.copy();
      t.phase(node, Phase.UP);
      t.set(node, OfNode.TIMER, setup.renewal);
      out.add(Step.of(Action.RESTART, node), t);
      return false;
    }
    if (s.get(node, OfNode.PAUSED) == 1) {
      State t = s.copy();
      t.set(node, OfNode.PAUSED, 0);
      out.add(Step.of(Action.RESUME, node), t);
      return false;
    }
    disturb(s, node, out);
    publishing.publish(s, node, out);
    claims.claim(s, node, out);
    boolean urgent = renewals.renew(s, node, out);
    closes.close(s, node, out);
    for (Entry entry : s.entriesOf(node)) {
      urgent |= entry(s, entry, out);
    }
    return urgent;
  }

  private void disturb(State s, int node, Steps out) {
    if (s.has(Budget.PAUSE)) {
      State t = s.spend(Budget.PAUSE);
      t.set(node, OfNode.PAUSED, 1);
      out.fault(Step.of(Action.PAUSE, node), t);
    }
    if (s.has(Budget.CRASH)) {
      State t = s.spend(Budget.CRASH);
      table.die(t, node);
      out.fault(Step.of(Action.CRASH, node), t);
    }
    if (s.has(Budget.CLOSE) && s.phase(node) == Phase.UP) {
      State t = s.spend(Budget.CLOSE);
      t.phase(node, Phase.CLOSING);
      out.fault(Step.of(Action.CLOSE, node), t);
    }
  }

  /** The steps of an event inside a node; whether one of them is urgent. */
  private boolean entry(State s, Entry entry, Steps out) {
    switch (s.place(entry)) {
      case NOWHERE -> {
        return false;
      }
      case TRANSACTION -> publishing.inTransaction(s, entry, out);
      case AFTER_COMMIT -> publishing.afterCommit(s, entry, out);
      case CLAIM_ON_ITS_WAY -> {
        return claims.arrive(s, entry, out);
      }
      case QUEUED -> starts.queued(s, entry, out);
      case WAITING_IN_WORKER -> starts.waitingInWorker(s, entry, out);
      case CHECKED -> {
        return starts.start(s, entry, out);
      }
      case RUNNING -> outcomes.running(s, entry, out);
      case SUCCEEDED -> outcomes.recordDone(s, entry, out);
      case FAILED -> {
        return outcomes.recordRetry(s, entry, out);
      }
      case TO_RELEASE -> outcomes.release(s, entry, out);
    }
    return false;
  }

  private void operate(State s, int event, Steps out) {
    if (s.transaction(event) != Transaction.COMMITTED || s.status(event) != Status.DEAD) {
      return;
    }
    boolean renumber = setup.ordered && setup.skipDead && setup.replayTakesNextNumber;
    if (s.has(Budget.REPLAY) && !(renumber && publishing.isNumberLocked(s, event))) {
      State t = s.spend(Budget.REPLAY);
      t.status(event, Status.NEW);
      t.set(event, OfRow.ATTEMPTS, 0);
      t.set(event, OfRow.FAILURES, 0);
      t.set(event, OfRow.KILLS, 0);
      if (setup.replayMovesToken) {
        table.moveToken(t, event);
      }
      if (renumber) {
        t.set(event, OfRow.NUMBER, publishing.nextNumber(s, event));
      }
      out.fault(Step.of(Action.REPLAY, 0, event, 0), t);
    }
    if (setup.purgeDead) {
      State t = s.copy();
      t.transaction(event, Transaction.PURGED);
      out.fault(Step.of(Action.PURGE, 0, event, 0), t);
    }
  }

  private void retryNow(State s, int event, Steps out) {
    boolean waits =
        setup.retriesMadeDue
            && s.transaction(event) == Transaction.COMMITTED
            && s.status(event) == Status.RETRY
            && s.is(event, OfRow.DUE_IN)
            && !(setup.claimedRetriesLeft && s.is(event, OfRow.CLAIMED));
    if (waits) {
      State t = s.copy();
      t.set(event, OfRow.DUE_IN, 0);
      out.fault(Step.of(Action.RETRY_NOW, 0, event, 0), t);
    }
  }

  private void passTime(State s, Steps out) {
    State t = s.copy();
    for (int event = 0; event < setup.events; event++) {
      t.set(event, OfRow.DUE_IN, Math.max(0, s.get(event, OfRow.DUE_IN) - 1));
    }
    for (int node = 0; node < setup.nodes; node++) {
      if (s.phase(node) != Phase.DOWN) {
        passTime(t, node);
      }
    }
    if (!s.isSame(t)) {
      out.add(Step.of(Action.TIME_PASSES), t);
    }
  }

  private void passTime(State t, int node) {
    boolean anyToRenew = false;
    for (Entry entry : t.entriesOf(node)) {
      t.set(entry, OfEntry.LEASE_LEFT, Math.max(0, t.get(entry, OfEntry.LEASE_LEFT) - 1));
      anyToRenew |= table.isRenewed(t.place(entry));
    }
    int timer = Math.max(0, t.get(node, OfNode.TIMER) - 1);
    boolean restart = timer == 0 && !(anyToRenew && setup.renewals);
    t.set(node, OfNode.TIMER, restart ? setup.renewal : timer);
  }

  /** Whether an event is still to be delivered, with nothing in the setup that excuses it. */
  boolean mustStillEnd(State s, int event) {
    if (!table.isOpen(s, event) || setup.listeners[event] == Setup.Listener.HANGS) {
      return false;
    }
    for (int other = 0; setup.ordered && other < setup.events; other++) {
      boolean dead = s.status(other) == Status.DEAD;
      boolean hangs = setup.listeners[other] == Setup.Listener.HANGS && !dead;
      if (table.isBefore(s, other, event) && ((dead && !setup.skipDead) || hangs)) {
        return false;
      }
    }
    return true;
  }
}
