package holdfast.verification.model;

import java.util.ArrayList;
import java.util.List;

/** Where the fields of a state are: budgets of faults, nodes, rows of the table, entries. */
@SuppressWarnings("EnumOrdinal") // a state is bytes, and lives no longer than its search
final class Layout {

  /** How often a fault may still happen. */
  enum Budget {
    CRASH,
    PAUSE,
    DATABASE_ERROR,
    CLOSE,
    REPLAY
  }

  /** What a node has besides its entries; the timer counts down to the next renewal. */
  enum OfNode {
    PHASE,
    PAUSED,
    TIMER
  }

  /**
   * The columns of a row, then what only the checker knows: whether a delivery succeeded, whether
   * one started, how many failed, how many JVMs the event has killed.
   */
  enum OfRow {
    TRANSACTION,
    STATUS,
    DUE_IN,
    CLAIMED,
    OWNER,
    ATTEMPTS,
    /** 0: no suspect. Otherwise 1 and the number of starts that were counted as lapses. */
    SUSPICION,
    ALONE,
    NUMBER,
    /** Size of the last group in which it began as a suspect; 0: never. */
    GROUP,
    SUCCEEDED,
    STARTED,
    FAILURES,
    KILLS
  }

  /**
   * What a node has of an event: its place; whether its token is the row's, which the node does not
   * know; how much of the lease is left by the node's clock; the size of its group, 0 if it is no
   * suspect; whether its group has begun; a renewal on its way (1 with the row's token, 2 with an
   * old one); whether it is meant for the hot path.
   */
  enum OfEntry {
    PLACE,
    TOKEN,
    LEASE_LEFT,
    GROUP,
    BEGUN,
    RENEWING,
    WANTED_HOT
  }

  /** Whether a node runs. */
  enum Phase {
    DOWN,
    UP,
    CLOSING,
    RELEASING,
    CLOSED
  }

  /** The transaction that inserted a row. */
  enum Transaction {
    NONE,
    OPEN,
    COMMITTED,
    ROLLED_BACK,
    PURGED
  }

  /** The status of a row. */
  enum Status {
    NEW,
    DONE,
    RETRY,
    DEAD
  }

  /** Where an event is inside a node. */
  enum Place {
    NOWHERE,
    TRANSACTION,
    AFTER_COMMIT,
    QUEUED,
    CHECKED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    TO_RELEASE,
    CLAIM_ON_ITS_WAY,
    WAITING_IN_WORKER;

    /** Whether the node has reserved the event. */
    boolean isReserved() {
      return switch (this) {
        case QUEUED, CHECKED, RUNNING, SUCCEEDED, FAILED, WAITING_IN_WORKER -> true;
        default -> false;
      };
    }

    boolean occupiesWorker() {
      return this == RUNNING || this == CHECKED || this == WAITING_IN_WORKER;
    }
  }

  private static final int NODES = Budget.values().length;
  private static final int PER_NODE = OfNode.values().length;
  private static final int PER_ROW = OfRow.values().length;
  private static final int PER_ENTRY = OfEntry.values().length;

  private final Entry[][] entries;
  private final int rows;
  private final int size;

  Layout(Setup setup) {
    rows = NODES + setup.nodes * PER_NODE;
    entries = new Entry[setup.nodes][];
    int offset = rows + setup.events * PER_ROW;
    for (int node = 0; node < setup.nodes; node++) {
      List<Entry> ofNode = new ArrayList<>();
      for (int event = 0; event < setup.events; event++) {
        for (int path = Entry.HOT; path <= Entry.COLD; path++) {
          ofNode.add(new Entry(node, event, path, offset));
          offset += PER_ENTRY;
        }
      }
      entries[node] = ofNode.toArray(Entry[]::new);
    }
    size = offset;
  }

  int size() {
    return size;
  }

  int node(int node, OfNode field) {
    return NODES + node * PER_NODE + field.ordinal();
  }

  int row(int event, OfRow field) {
    return rows + event * PER_ROW + field.ordinal();
  }

  Entry[] entriesOf(int node) {
    return entries[node];
  }

  Entry entry(int node, int event, int path) {
    return entries[node][event * 2 + path];
  }
}
