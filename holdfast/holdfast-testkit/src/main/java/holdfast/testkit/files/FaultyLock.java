package holdfast.testkit.files;

import java.io.IOException;
import java.nio.channels.FileLock;

/**
 * A real lock, seen from the faulty channel that took it. Safe for use by many threads, as every
 * file lock.
 */
final class FaultyLock extends FileLock {

  private final FileLock real;

  FaultyLock(FaultyChannel channel, FileLock real) {
    super(channel, real.position(), real.size(), real.isShared());
    this.real = real;
  }

  @Override
  public boolean isValid() {
    return real.isValid();
  }

  @Override
  public void release() throws IOException {
    real.release();
  }
}
