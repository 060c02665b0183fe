package demo.outbox.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** A mail server that can be broken and repaired. Safe for use by many threads. */
@Component
class MailServer {
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private volatile boolean broken;

  void send(String mail) {
    if (broken) {
      throw new IllegalStateException("the mail server is broken");
    }
    sent.add(mail);
  }

  List<String> sent() {
    return sent;
  }

  void setBroken(boolean broken) {
    this.broken = broken;
  }
}
