package failover.spring.boot;

/** Whether meters have a tag for this instance. */
public enum InstanceMode {
  /** Where nothing else tells instances apart: not in Prometheus. */
  AUTO,
  /** Yes. */
  ALWAYS,
  /** No. */
  NEVER
}
