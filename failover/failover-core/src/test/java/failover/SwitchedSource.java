package failover;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers with what it is asked, or fails while it is switched off. For one thread. */
public final class SwitchedSource {
  public final AtomicInteger asked = new AtomicInteger();
  public final IOException down = new IOException("down");
  public boolean isDown;

  public String answer(String arg) throws IOException {
    asked.incrementAndGet();
    if (isDown) {
      throw down;
    }
    return arg;
  }
}
