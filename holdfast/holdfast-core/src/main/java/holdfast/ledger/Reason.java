package holdfast.ledger;

/** Why something was lost; a room's reasons are the constants of one enum. */
public interface Reason {

  /** The exact spelling of this reason in books, meters and callbacks: {@code queue_full}. */
  String code();
}
