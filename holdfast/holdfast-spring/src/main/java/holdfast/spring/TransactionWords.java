package holdfast.spring;

/**
 * How a library speaks of the transactions its events are published in. Immutable.
 *
 * @param library its name, which names the logger and begins its lines
 * @param owner whose data source it is, to be read in a sentence: {@code "the outbox's"}
 * @param elsewhere what to do where a transaction is not on that data source
 * @param late what to do where something was published after the commit of its transaction
 */
public record TransactionWords(String library, String owner, String elsewhere, String late) {}
