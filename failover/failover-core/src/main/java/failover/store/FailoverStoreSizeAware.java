package failover.store;

/** A store that can count its answers. */
public interface FailoverStoreSizeAware {

  /** How many answers there are under an effective name, expired ones included. */
  long liveEntryCount(String name);

  /** Whether counting works and is cheap enough for a gauge. */
  default boolean liveEntryCountSupported() {
    return true;
  }
}
