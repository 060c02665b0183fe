package tracer.sink;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import tracer.Lane;

/** Keeps everything it is given; can be told to fail or to hang. Safe for use by many threads. */
public final class MemorySink implements TraceSink {

  /** One event as the sink saw it. */
  public record Seen(
      Lane lane,
      TracePhase phase,
      String name,
      long time,
      long thread,
      int depth,
      long began,
      long id,
      List<Long> values,
      String text) {}

  private final List<Seen> events = new ArrayList<>();
  private final List<DataLoss> losses = new ArrayList<>();
  private volatile boolean failing;
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile boolean hanging;
  private final AtomicInteger flushes = new AtomicInteger();
  private volatile boolean closed;
  private final AtomicLong bytes = new AtomicLong();

  private final Map<Path, MemorySink> dumps = new ConcurrentSkipListMap<>();
  private final AtomicInteger dumpFiles = new AtomicInteger();

  /** Has all calls fail from now on, or work again; those of dumps, too. */
  public void fail(boolean fails) {
    this.failing = fails;
    dumps.values().forEach(dump -> dump.fail(fails));
  }

  @Override
  public Path newDumpFile() {
    return Path.of("dump-" + dumpFiles.incrementAndGet());
  }

  @Override
  public TraceSink dumpTo(Path file) {
    MemorySink dump = new MemorySink();
    dump.failing = failing;
    dump.gate = gate;
    dumps.put(file, dump);
    return dump;
  }

  /** The dumps so far, by their files. */
  public Map<Path, MemorySink> dumps() {
    return Map.copyOf(dumps);
  }

  /** Has calls hang from now on. */
  public void hang() {
    gate = new CountDownLatch(1);
  }

  /** Lets calls go on. */
  public void goOn() {
    gate.countDown();
  }

  /** Whether a call hangs now. */
  public boolean isHanging() {
    return hanging;
  }

  @Override
  public void write(TraceBatch batch) throws IOException {
    pass();
    List<Seen> seen = new ArrayList<>();
    while (batch.next()) {
      seen.add(
          new Seen(
              batch.lane(),
              batch.phase(),
              batch.event().name(),
              batch.time(),
              batch.threadId(),
              batch.depth(),
              batch.began(),
              batch.id(),
              values(batch),
              text(batch)));
    }
    if (seen.size() != batch.size()) {
      throw new AssertionError("size " + batch.size() + " but events " + seen.size());
    }
    synchronized (this) {
      events.addAll(seen);
      bytes.addAndGet(seen.size() * 40L);
    }
  }

  private static List<Long> values(TraceBatch batch) {
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < batch.values(); i++) {
      values.add(batch.value(i));
    }
    return List.copyOf(values);
  }

  private static String text(TraceBatch batch) {
    byte[] copy = new byte[batch.length()];
    batch.copyBytes(copy, 0);
    return new String(copy, StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void lost(DataLoss loss) throws IOException {
    if (failing) {
      throw new IOException("told to fail");
    }
    losses.add(loss);
  }

  @Override
  public void flush() throws IOException {
    pass();
    flushes.incrementAndGet();
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public long bytesWritten() {
    return bytes.get();
  }

  private void pass() throws IOException {
    if (failing) {
      throw new IOException("told to fail");
    }
    try {
      hanging = gate.getCount() > 0;
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      hanging = false;
    }
  }

  /** The events so far. */
  public synchronized List<Seen> events() {
    return List.copyOf(events);
  }

  /** The events of a lane so far. */
  public List<Seen> events(Lane lane) {
    return events().stream().filter(event -> event.lane() == lane).toList();
  }

  /** The first values of a lane's events. */
  public List<Long> firstValues(Lane lane) {
    return events(lane).stream().map(event -> event.values().get(0)).toList();
  }

  /** The texts of a lane's events. */
  public List<String> texts(Lane lane) {
    return events(lane).stream().map(Seen::text).toList();
  }

  /** The marks so far. */
  public synchronized List<DataLoss> losses() {
    return List.copyOf(losses);
  }

  /** How often it was flushed. */
  public int flushes() {
    return flushes.get();
  }

  /** Whether it was closed. */
  public boolean isClosed() {
    return closed;
  }
}
