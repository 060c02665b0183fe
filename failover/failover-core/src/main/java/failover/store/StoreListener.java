package failover.store;

/** Somebody who is told what happens behind the back of callers. Must not throw. */
public interface StoreListener {
  /** Is told and does nothing. */
  StoreListener NONE =
      new StoreListener() {
        @Override
        public void failed(String name, String operation, RuntimeException failure) {}

        @Override
        public void dropped(String name) {}
      };

  /**
   * A write failed; it is kept and tried again.
   *
   * @param name the effective name
   * @param operation store or delete
   * @param failure what the store threw
   */
  void failed(String name, String operation, RuntimeException failure);

  /** A write succeeded. */
  default void written(String name) {}

  /** A write was dropped, because too many others wait. */
  void dropped(String name);
}
