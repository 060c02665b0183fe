package tracer.lane;

/**
 * Makes sure that the stack has room for what must not be left in the middle. A caller that
 * recurses too deeply gets its {@link StackOverflowError} here, where nothing has changed yet.
 * Stateless.
 */
final class StackRoom {
  /** Of the smallest frames there are; what is protected needs some twenty larger ones. */
  private static final int FRAMES = 128;

  private StackRoom() {}

  /** Throws the error if there is no room. */
  static void require() {
    descend(FRAMES);
  }

  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }
}
