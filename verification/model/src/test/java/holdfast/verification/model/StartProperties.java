package holdfast.verification.model;

import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Place;
import holdfast.verification.model.Layout.Status;
import holdfast.verification.model.Layout.Transaction;
import org.jspecify.annotations.Nullable;

/** The properties that a listener's start can violate. */
final class StartProperties {
  private final Setup setup;
  private final Table table;

  StartProperties(Setup setup, Table table) {
    this.setup = setup;
    this.table = table;
  }

  @Nullable Violation violatedBy(State s, Entry entry) {
    Violation violation = setup.ordered ? order(s, entry) : null;
    if (violation == null && setup.noDuplicates) {
      violation = duplicate(s, entry);
    }
    if (violation == null && s.transaction(entry.event()) == Transaction.ROLLED_BACK) {
      violation =
          Property.NOTHING_ROLLED_BACK.violated(
              "%s was rolled back and is delivered", Step.nameOfEvent(entry.event()));
    }
    return violation;
  }

  private @Nullable Violation duplicate(State s, Entry entry) {
    String event = Step.nameOfEvent(entry.event());
    String node = Step.nameOfNode(entry.node());
    Entry other = running(s, entry.event(), entry);
    if (other != null) {
      return Property.NO_DUPLICATES.violated(
          "%s runs on %s and %s at once", event, Step.nameOfNode(other.node()), node);
    }
    return s.is(entry.event(), OfRow.SUCCEEDED)
        ? Property.NO_DUPLICATES.violated(
            "%s is delivered again on %s after a delivery that succeeded", event, node)
        : null;
  }

  private @Nullable Entry running(State s, int event, Entry except) {
    for (int node = 0; node < setup.nodes; node++) {
      for (int path = Entry.HOT; path <= Entry.COLD; path++) {
        Entry other = s.entry(node, event, path);
        if (!other.equals(except) && s.place(other) == Place.RUNNING) {
          return other;
        }
      }
    }
    return null;
  }

  private @Nullable Violation order(State s, Entry entry) {
    for (int other = 0; other < setup.events; other++) {
      if (other == entry.event() || setup.aggregate[other] != setup.aggregate[entry.event()]) {
        continue;
      }
      String how = setup.inOrder ? wrongOrder(s, entry.event(), other) : null;
      if (setup.oneAtATimePerAggregate && running(s, other, entry) != null) {
        how = "%s and %s of one aggregate run at the same time";
      }
      if (how != null) {
        return Property.IN_ORDER.violated(
            how, Step.nameOfEvent(entry.event()), Step.nameOfEvent(other));
      }
    }
    return null;
  }

  private @Nullable String wrongOrder(State s, int event, int other) {
    boolean first = !s.is(event, OfRow.STARTED);
    boolean lower = s.get(other, OfRow.NUMBER) < s.get(event, OfRow.NUMBER);
    boolean delivered = s.is(other, OfRow.SUCCEEDED);
    return switch (s.transaction(other)) {
      case OPEN -> first && lower ? "%s is delivered while %s before it is not committed" : null;
      case PURGED ->
          setup.skipDead || delivered
              ? null
              : "%s is delivered although %s before it never was, and dead events block";
      case COMMITTED -> {
        boolean skipped = setup.skipDead && s.status(other) == Status.DEAD;
        if (s.get(other, OfRow.NUMBER) == s.get(event, OfRow.NUMBER)) {
          yield "%s and %s of one aggregate have the same number";
        }
        yield first && table.isBefore(s, other, event) && !delivered && !skipped
            ? "%s is delivered before %s, whose number is lower"
            : null;
      }
      case NONE, ROLLED_BACK -> null;
    };
  }
}
