package holdfast.ledger;

/** Why an event was lost; the reasons of a library are the constants of one enum. */
public interface Reason {

  /** Returns the exact spelling in ledgers, meters and callbacks: {@code queue_full}. */
  String code();
}
