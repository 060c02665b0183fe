package demo.outbox.spring;

import static java.lang.System.Logger.Level.INFO;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** A mail server that can be made to hang or to fail. Safe for use by many threads. */
@Component
class MailServer {
  private static final System.Logger LOG = System.getLogger("mail server");

  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final AtomicInteger failuresLeft = new AtomicInteger();
  private volatile CountDownLatch mayGoOn = new CountDownLatch(0);

  void send(String mail) throws InterruptedException {
    mayGoOn.await();
    if (failuresLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      LOG.log(INFO, "failed: {0}", mail);
      throw new IllegalStateException("the mail server is broken");
    }
    LOG.log(INFO, "sent: {0}", mail);
    sent.add(mail);
  }

  List<String> sent() {
    return sent;
  }

  /** Has the next mails fail. */
  void fail(int times) {
    failuresLeft.set(times);
  }

  /** Has mails wait until it goes on. */
  void hang() {
    mayGoOn = new CountDownLatch(1);
  }

  void goOn() {
    mayGoOn.countDown();
  }
}
