package chaos;

import holdfast.testkit.net.TcpProxy;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The line between one node and its server, and the times when it was broken. Safe for use by many
 * threads; broken by one at a time.
 */
public final class NetworkLine implements AutoCloseable {
  /** Something that takes its time. */
  public interface Deed {
    void run() throws InterruptedException;
  }

  private final TcpProxy proxy;
  private final Lock spared = new ReentrantLock();
  private final List<Span> broken = new CopyOnWriteArrayList<>();

  private NetworkLine(TcpProxy proxy) {
    this.proxy = proxy;
  }

  /** A line to a server, unbroken. */
  public static NetworkLine to(String host, int port) {
    return new NetworkLine(TcpProxy.to(host, port));
  }

  /** The port on 127.0.0.1 that stands for the server's. */
  public int port() {
    return proxy.port();
  }

  /** Does something that needs the line; who would break it meanwhile passes it over. */
  public void spare(Deed deed) throws InterruptedException {
    spared.lockInterruptibly();
    try {
      deed.run();
    } finally {
      spared.unlock();
    }
  }

  /** Ends every connection of this moment; new ones pass. */
  public void cut() throws InterruptedException {
    breakDuring(proxy::reset);
  }

  /** Ends every connection and lets none pass for a time, or until the alarm rings. */
  public void down(Duration time, Alarm alarm) throws InterruptedException {
    breakFor(time, alarm, proxy::cut);
  }

  /**
   * Keeps every connection and lets no byte pass for a time, or until the alarm rings; what was
   * sent meanwhile then arrives late.
   */
  public void stall(Duration time, Alarm alarm) throws InterruptedException {
    breakFor(time, alarm, proxy::stall);
  }

  private void breakFor(Duration time, Alarm alarm, Runnable start) throws InterruptedException {
    breakDuring(
        () -> {
          start.run();
          alarm.await(time);
        });
  }

  private void breakDuring(Deed deed) throws InterruptedException {
    if (!spared.tryLock()) {
      return;
    }
    Instant before = TimeSource.system().instant();
    try {
      deed.run();
    } finally {
      proxy.mend();
      broken.add(new Span(before, TimeSource.system().instant()));
      spared.unlock();
    }
  }

  /** When it was broken. */
  public List<Span> broken() {
    return List.copyOf(broken);
  }

  @Override
  public void close() {
    proxy.close();
  }
}
