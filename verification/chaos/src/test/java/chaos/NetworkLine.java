package chaos;

import holdfast.testkit.net.TcpProxy;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The line between one node and its server, and the times when it was broken. Safe for use by many
 * threads; broken by one at a time.
 */
public final class NetworkLine implements AutoCloseable {
  private final TcpProxy proxy;
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

  /** Ends every connection of this moment; new ones pass. */
  public void cut() {
    Instant before = TimeSource.system().instant();
    proxy.reset();
    broken.add(new Span(before, TimeSource.system().instant()));
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

  private void breakFor(Duration time, Alarm alarm, Runnable deed) throws InterruptedException {
    Instant before = TimeSource.system().instant();
    deed.run();
    try {
      alarm.await(time);
    } finally {
      proxy.mend();
      broken.add(new Span(before, TimeSource.system().instant()));
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
