package failover;

import failover.Referential.Metadata;
import java.time.Instant;

/** An answer that wants to be told how fresh it is. */
public interface ReferentialAware {

  /** Tells whether it is live. */
  void setUpToDate(Boolean upToDate);

  /** Tells what moment it is of. */
  void setAsOf(Instant asOf);

  /** Tells why it is not live. */
  void setMetadata(Metadata metadata);
}
