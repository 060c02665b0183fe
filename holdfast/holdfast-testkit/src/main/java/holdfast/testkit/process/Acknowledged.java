package holdfast.testkit.process;

import java.nio.charset.StandardCharsets;

/**
 * The child's side of {@link ChildJvm}: what it tells its parent. Safe for use by many threads.
 *
 * <p>A child acknowledges what it has made sure of, and only then; the parent may hold it to every
 * line, however the child ends.
 */
public final class Acknowledged {

  private Acknowledged() {}

  /**
   * Hands one line to the parent process; once this returns, killing the child cannot take it back.
   *
   * @throws IllegalArgumentException if the text holds a line break
   * @throws IllegalStateException if standard output is closed
   */
  public static void line(String text) {
    if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
      throw new IllegalArgumentException(
          "an acknowledged line must not hold a line break but was '" + text + "'");
    }
    byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
    synchronized (Acknowledged.class) {
      System.out.writeBytes(bytes);
      if (System.out.checkError()) {
        throw new IllegalStateException(
            "standard output must be open to acknowledge '" + text + "' but the parent closed it");
      }
    }
  }
}
