package holdfast.verification.model;

import holdfast.verification.model.Layout.Budget;
import holdfast.verification.model.Layout.OfEntry;
import holdfast.verification.model.Layout.OfNode;
import holdfast.verification.model.Layout.OfRow;
import holdfast.verification.model.Layout.Phase;
import holdfast.verification.model.Layout.Place;
import holdfast.verification.model.Layout.Status;
import holdfast.verification.model.Layout.Transaction;
import java.util.Arrays;

/** One moment of the table and of all nodes. Changed only by the step that has just copied it. */
@SuppressWarnings("EnumOrdinal") // a state is bytes, and lives no longer than its search
final class State {
  private static final Phase[] PHASES = Phase.values();
  private static final Place[] PLACES = Place.values();
  private static final Status[] STATUSES = Status.values();
  private static final Transaction[] TRANSACTIONS = Transaction.values();

  private final Layout layout;
  private final byte[] bytes;

  State(Layout layout, byte[] bytes) {
    this.layout = layout;
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  State copy() {
    return new State(layout, bytes.clone());
  }

  boolean isSame(State other) {
    return Arrays.equals(bytes, other.bytes);
  }

  boolean has(Budget budget) {
    return bytes[budget.ordinal()] > 0;
  }

  void grant(Budget budget, int times) {
    bytes[budget.ordinal()] = (byte) times;
  }

  /** A copy after a fault: there is one less in the budget. */
  State spend(Budget budget) {
    State copy = copy();
    copy.bytes[budget.ordinal()]--;
    return copy;
  }

  Phase phase(int node) {
    return PHASES[get(node, OfNode.PHASE)];
  }

  void phase(int node, Phase phase) {
    set(node, OfNode.PHASE, phase.ordinal());
  }

  int get(int node, OfNode field) {
    return bytes[layout.node(node, field)];
  }

  void set(int node, OfNode field, int value) {
    bytes[layout.node(node, field)] = (byte) value;
  }

  Transaction transaction(int event) {
    return TRANSACTIONS[get(event, OfRow.TRANSACTION)];
  }

  void transaction(int event, Transaction transaction) {
    set(event, OfRow.TRANSACTION, transaction.ordinal());
  }

  Status status(int event) {
    return STATUSES[get(event, OfRow.STATUS)];
  }

  void status(int event, Status status) {
    set(event, OfRow.STATUS, status.ordinal());
  }

  boolean is(int event, OfRow field) {
    return get(event, field) != 0;
  }

  int get(int event, OfRow field) {
    return bytes[layout.row(event, field)];
  }

  void set(int event, OfRow field, int value) {
    bytes[layout.row(event, field)] = (byte) value;
  }

  void add(int event, OfRow field, int value) {
    bytes[layout.row(event, field)] += (byte) value;
  }

  Entry[] entriesOf(int node) {
    return layout.entriesOf(node);
  }

  Entry entry(int node, int event, int path) {
    return layout.entry(node, event, path);
  }

  Place place(Entry entry) {
    return PLACES[get(entry, OfEntry.PLACE)];
  }

  void place(Entry entry, Place place) {
    set(entry, OfEntry.PLACE, place.ordinal());
  }

  boolean is(Entry entry, OfEntry field) {
    return get(entry, field) != 0;
  }

  int get(Entry entry, OfEntry field) {
    return bytes[entry.offset() + field.ordinal()];
  }

  void set(Entry entry, OfEntry field, int value) {
    bytes[entry.offset() + field.ordinal()] = (byte) value;
  }
}
