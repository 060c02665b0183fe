package eventbus.spring.boot;

import java.time.Duration;

/** What can be set under {@code eventbus.metrics}. Not safe for use by many threads. */
final class MetricsProperties {
  /** The age unless configured. */
  static final Duration DEFAULT_BOOKS_MAX_AGE = Duration.ofMinutes(1);

  /** How old the numbers of the books and the backlog may be; reading them counts rows. */
  private Duration booksMaxAge = DEFAULT_BOOKS_MAX_AGE;

  public Duration getBooksMaxAge() {
    return booksMaxAge;
  }

  public void setBooksMaxAge(Duration booksMaxAge) {
    this.booksMaxAge = booksMaxAge;
  }
}
