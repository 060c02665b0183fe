package holdfast.testkit.files;

/**
 * The death of the process, as code that goes on using a crashed file system sees it.
 *
 * <p>It is unchecked and no {@code IOException}, so that code which handles trouble with files does
 * not handle this: nothing can be handled by a process that is gone. Code that catches every
 * runtime exception still cannot change a file afterwards.
 */
public final class SimulatedCrash extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SimulatedCrash(String when) {
    super(
        "the process crashed "
            + when
            + " and can do nothing more; start again with FaultyFiles.over on the same directory");
  }
}
