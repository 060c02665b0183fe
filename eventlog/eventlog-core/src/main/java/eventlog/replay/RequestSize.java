package eventlog.replay;

import static java.lang.System.Logger.Level.INFO;

import holdfast.log.LibraryLogger;

/**
 * How many events a request from disk carries: as many as configured, or as many as the API takes.
 * Confined to the replay thread.
 */
final class RequestSize {
  /*
   * A refusal of a whole batch may come from its size, from one bad event in it, or from an API that
   * refuses everything for a while. The size it is only where a larger request is refused right after
   * a smaller one was taken, and the parts of the larger one are all taken then; twice, since an
   * outage may begin just then.
   */
  private static final System.Logger LOG = LibraryLogger.of("eventlog");
  private static final int PROOFS = 2;

  private int most;
  private int lastTaken; // 0 after a refusal or a failure
  private boolean isProof;
  private int proofs;
  private int largestTaken; // of the parts of a batch that was refused

  RequestSize(int most) {
    this.most = most;
  }

  /** How many events a request carries at most. */
  int most() {
    return most;
  }

  /** The API has taken all events of a request. */
  void taken(int events) {
    lastTaken = events;
    largestTaken = Math.max(largestTaken, events);
  }

  /** The API has refused a request for its content. */
  void refused(int events) {
    if (lastTaken > 0 && lastTaken < events) {
      isProof = true;
      largestTaken = 0;
    }
    lastTaken = 0;
  }

  /** The API has failed, or nothing was asked of it for a while. */
  void failed() {
    lastTaken = 0;
    isProof = false;
  }

  /**
   * A batch is dealt with.
   *
   * @param isComplete whether the API has taken all of it in the end
   */
  void settled(boolean isComplete) {
    if (isProof && isComplete && largestTaken > 0 && ++proofs >= PROOFS && largestTaken < most) {
      most = largestTaken;
      LOG.log(
          INFO,
          "eventlog replay sends smaller requests, the API refuses larger ones events="
              + most
              + "; set replayBatchSize to what the API takes");
    }
    isProof = false;
  }
}
