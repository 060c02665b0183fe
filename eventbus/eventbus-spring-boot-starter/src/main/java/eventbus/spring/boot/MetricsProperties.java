package eventbus.spring.boot;

import java.time.Duration;

/** What can be set under {@code eventbus.metrics}. Not safe for use by many threads. */
final class MetricsProperties {
  /** The age unless configured. */
  static final Duration DEFAULT_LEDGER_MAX_AGE = Duration.ofMinutes(1);

  /** How old the numbers of the ledger and the backlog may be; reading them counts rows. */
  private Duration ledgerMaxAge = DEFAULT_LEDGER_MAX_AGE;

  public Duration getLedgerMaxAge() {
    return ledgerMaxAge;
  }

  public void setLedgerMaxAge(Duration ledgerMaxAge) {
    this.ledgerMaxAge = ledgerMaxAge;
  }
}
