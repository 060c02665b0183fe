package holdfast.testkit;

import org.opentest4j.TestAbortedException;

/**
 * The end of a test that this machine cannot run.
 *
 * <p>On a developer's machine the test is reported as aborted, with its reason. Where the
 * environment variable {@code CI} is set it fails instead, so that nothing goes untested unnoticed.
 * Safe for use by many threads.
 */
public final class Unavailable {

  private Unavailable() {}

  /**
   * Ends the running test; always throws.
   *
   * @param reason what the test needs and this machine lacks
   * @return nothing; declared so that callers can write {@code throw Unavailable.because(...)}
   * @throws TestAbortedException where {@code CI} is not set
   * @throws AssertionError where {@code CI} is set
   */
  public static RuntimeException because(String reason) {
    if (System.getenv("CI") != null) {
      throw new AssertionError("not available here, and CI may not skip it: " + reason);
    }
    throw new TestAbortedException("not available here: " + reason);
  }
}
