package failover.expiry;

import failover.FailoverSpec;
import failover.store.ReferentialPayload;
import java.time.Instant;

/**
 * When a stored answer becomes too old to be served. Safe for use by many threads.
 *
 * <p>The sweep that removes old answers looks only at the moment {@link #computeExpiry} gave.
 */
public interface ExpiryPolicy {
  /** As the point's expiry says: good until its last moment, that moment included. */
  ExpiryPolicy DEFAULT =
      new ExpiryPolicy() {
        @Override
        public Instant computeExpiry(FailoverSpec<?> spec, Instant asOf) {
          return spec.expiry().after(asOf);
        }

        @Override
        public String toString() {
          return "default";
        }
      };

  /**
   * The last moment at which an answer may be served.
   *
   * @param spec the point
   * @param asOf when the call that brought the answer began
   */
  Instant computeExpiry(FailoverSpec<?> spec, Instant asOf);

  /**
   * Whether a stored answer must not be served any more.
   *
   * @param spec the point
   * @param stored the answer
   * @param now what time it is
   */
  default boolean isExpired(FailoverSpec<?> spec, ReferentialPayload stored, Instant now) {
    return now.isAfter(stored.expireOn());
  }
}
