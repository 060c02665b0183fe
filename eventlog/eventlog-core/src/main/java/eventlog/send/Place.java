package eventlog.send;

import java.util.Locale;

/** Where the library holds events. */
public enum Place {
  /** The main queue. */
  QUEUE,
  /** In the hands of a sender. */
  SENDING,
  /** Waiting to be tried again. */
  RETRY,
  /** Waiting to be written to disk, or being written. */
  SPILLING,
  /** On disk, not yet answered for. */
  DISK,
  /** Set aside on disk for a person. */
  QUARANTINE;

  /** The word for it in the ledger. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
