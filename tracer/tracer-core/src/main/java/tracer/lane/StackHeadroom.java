package tracer.lane;

/**
 * Makes sure that the stack has room for what must not be left in the middle. A caller that
 * recurses too deeply gets its {@link StackOverflowError} here, where nothing has changed yet.
 * Stateless.
 */
final class StackHeadroom {
  /*
   * What is protected needs some twenty frames, and more where a class is loaded on the way. A frame
   * has room for eight values that are needed after the call, so compiled code must store them: the
   * frames of a method without values shrink to a fifth when it is compiled, and the room with them.
   */
  private static final int FRAMES = 128;

  private StackHeadroom() {}

  /** Throws the error if there is no room. */
  static void require() {
    descend(FRAMES, 1, 2, 3, 4, 5, 6, 7, 8);
  }

  private static long descend(
      int frames, long a, long b, long c, long d, long e, long f, long g, long h) {
    if (frames == 0) {
      return a;
    }
    long below = descend(frames - 1, b, c, d, e, f, g, h, a + frames);
    return below + (a ^ b) * (c ^ d) + (e ^ f) * (g ^ h);
  }
}
