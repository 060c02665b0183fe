package eventbus.spring.boot;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What handlers of a test took, in order. */
final class Inbox {
  private final BlockingQueue<String> taken = new LinkedBlockingQueue<>();

  void take(String what) {
    taken.add(what);
  }

  String next() throws InterruptedException {
    String next = taken.poll(30, TimeUnit.SECONDS);
    return next == null ? "nothing within 30 s" : next;
  }

  List<String> all() {
    return List.copyOf(taken);
  }
}
