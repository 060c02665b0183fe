package failover.execution;

/** Makes the execution of a door out of its parts. */
@FunctionalInterface
public interface ExecutionFactory {
  /** {@link BasicFailoverExecution}. */
  ExecutionFactory BASIC = BasicFailoverExecution::new;

  /** The execution; it makes the calls from then on. */
  FailoverExecution create(BasicFailoverExecution.Parts parts);
}
