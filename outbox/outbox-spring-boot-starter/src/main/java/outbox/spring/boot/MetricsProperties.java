package outbox.spring.boot;

import java.time.Duration;

/** What can be set under {@code outbox.metrics}. Not safe for use by many threads. */
final class MetricsProperties {
  /** The age unless configured. */
  static final Duration DEFAULT_LEDGER_MAX_AGE = Duration.ofMinutes(1);

  /**
   * How old the numbers of the ledger's meters may be; reading them counts the rows of the table.
   */
  private Duration ledgerMaxAge = DEFAULT_LEDGER_MAX_AGE;

  public Duration getLedgerMaxAge() {
    return ledgerMaxAge;
  }

  public void setLedgerMaxAge(Duration ledgerMaxAge) {
    this.ledgerMaxAge = ledgerMaxAge;
  }
}
