package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.CloseReport;
import holdfast.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tracer.sink.DataLoss;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/**
 * Recorded = persisted + dropped, with real threads and the real clock: each event that arrives is
 * whole, arrives once, and in the order of its thread; what is missing was counted.
 */
class EndToEndTest extends TracerFixture {
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  /** Checks each event and keeps only what it needs to check the next. */
  private static final class CheckingSink implements TraceSink {
    private final Map<Long, Long> lastOfThread = new HashMap<>();
    private final List<String> mistakes = new ArrayList<>();
    private final int pausePerBatch;
    private final boolean inOrder;
    private long events;
    private long marked;

    /**
     * A sink; threads that share rings may change from one to the other, which changes the order.
     */
    CheckingSink(int pausePerBatch, boolean inOrder) {
      this.pausePerBatch = pausePerBatch;
      this.inOrder = inOrder;
    }

    @Override
    public synchronized void write(TraceBatch batch) {
      while (batch.next()) {
        events++;
        boolean isDetail = batch.values() == 0;
        byte[] bytes = new byte[batch.length()];
        batch.copyBytes(bytes, 0);
        long producer = isDetail ? ~(long) bytes[0] : batch.a();
        long number =
            isDetail
                ? Long.parseLong(new String(bytes, 1, bytes.length - 1, StandardCharsets.US_ASCII))
                : batch.b();
        boolean whole = isDetail || batch.c() == check(producer, number);
        Long before = lastOfThread.put(producer, number);
        if (!whole || (inOrder && before != null && before >= number)) {
          mistakes.add(producer + ": " + number + " after " + before + " whole " + whole);
        }
      }
      for (int i = 0; i < pausePerBatch; i++) {
        Thread.onSpinWait();
      }
    }

    @Override
    public synchronized void lost(DataLoss loss) {
      marked += loss.count();
    }
  }

  private static long check(long producer, long number) {
    return ((producer << 48) ^ number) * SCATTER;
  }

  private void run(int threads, long events, CheckingSink sink, TracerBuilder settings)
      throws InterruptedException {
    Tracer tracer =
        settings
            .time(TimeSource.system())
            .closeTimeout(Duration.ofSeconds(60))
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int producer = i;
      all.add(new Thread(() -> record(tracer, producer, events)));
    }
    all.forEach(Thread::start);
    for (Thread thread : all) {
      thread.join();
    }
    LedgerSnapshot running = tracer.ledger();
    assertThat(running.held()).as(running.toLine()).isNotNegative();
    CloseReport report = close(tracer);

    LedgerSnapshot ledger = tracer.ledger();
    assertThat(sink.mistakes).isEmpty();
    assertThat(ledger.isAccountedFor()).as(ledger.toLine()).isTrue();
    assertThat(ledger.held()).as(ledger.toLine()).isZero();
    assertThat(ledger.accepted()).isEqualTo(threads * (events + events / 10));
    assertThat(ledger.delivered()).isEqualTo(sink.events);
    assertThat(sink.marked).isEqualTo(ledger.lost());
  }

  private static void record(Tracer tracer, int producer, long events) {
    for (long i = 0; i < events; i++) {
      tracer.index().record(STEP, producer, i, check(producer, i));
      if (i % 10 == 0) {
        byte[] bytes = (" " + i).getBytes(StandardCharsets.US_ASCII);
        bytes[0] = (byte) producer;
        tracer.detail().record(NOTE, bytes);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 100000", "2, 100000", "8, 20000", "64, 3000"})
  void nothingIsLostWhileThereIsRoom(int threads, long events) throws InterruptedException {
    CheckingSink sink = new CheckingSink(0, true);
    run(
        threads,
        events,
        sink,
        Tracer.builder(sink)
            .peakRate(2L * threads * events)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(500)
            .memoryLimit(1L << 30)
            .producers(threads)
            .flushInterval(Duration.ofMillis(5)));
    assertThat(sink.marked).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1, 100000, 1", "2, 100000, 2", "8, 20000, 8", "64, 3000, 64", "8, 20000, 2"})
  void underOverloadEveryDropIsCounted(int threads, long events, int producers)
      throws InterruptedException {
    CheckingSink sink = new CheckingSink(20_000, threads <= producers);
    run(
        threads,
        events,
        sink,
        Tracer.builder(sink)
            .peakRate(100L * producers)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(500)
            .producers(producers)
            .flushInterval(Duration.ofMillis(1)));
    assertThat(sink.marked).isPositive();
  }

  @Test
  @Tag("long")
  @Timeout(1800)
  void aHundredMillionEventsAreWhole() throws InterruptedException {
    CheckingSink sink = new CheckingSink(0, false);
    run(
        4,
        25_000_000,
        sink,
        Tracer.builder(sink)
            .producers(3)
            .peakRate(20_000)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(500));
  }
}
