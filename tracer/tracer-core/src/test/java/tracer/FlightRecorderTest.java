package tracer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.lifecycle.Threads;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import tracer.sink.DataLoss;
import tracer.sink.MemorySink;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/** A flight recorder keeps the newest events in memory, and writes them only when it dumps. */
class FlightRecorderTest extends TracerFixture {
  private static final Path FILE = Path.of("there");
  private static final TraceEvent CHECKOUT = TraceEvent.named("test.checkout");
  private static final Duration SLOW = Duration.ofSeconds(9);

  private Tracer recorder() {
    return started(builder -> builder.keepLast(Duration.ofMinutes(1)));
  }

  private MemorySink dump(Path file) {
    MemorySink dump = sink.dumps().get(file);
    assertThat(dump).as("the dump %s", file).isNotNull();
    return dump;
  }

  @Test
  void nothingIsWrittenUntilADumpIsAskedFor() throws Exception {
    Tracer tracer = recorder();
    record(tracer, 0, 5);
    tracer.detail().record(NOTE, "a");
    time.awaitSleepers(2);
    time.advance(Duration.ofSeconds(10));
    time.awaitSleepers(2);
    assertThat(sink.dumps()).isEmpty();
    assertThat(tracer.flush(SOON)).as("nothing goes to the sink").isFalse();

    TraceDump written = tracer.dump(FILE, "why not");

    assertThat(written).isEqualTo(new TraceDump(FILE, "why not", 7));
    assertThat(dump(FILE).firstValues(Lane.INDEX)).isEqualTo(range(0, 5));
    assertThat(dump(FILE).texts(Lane.DETAIL)).containsExactly("a");
    assertThat(dump(FILE).texts(Lane.CRITICAL)).containsExactly("why not");
    assertThat(dump(FILE).isClosed()).isTrue();
    assertThat(sink.events()).isEmpty();
    assertThat(balanced(tracer).delivered()).isEqualTo(7);
  }

  @Test
  void newerEventsReplaceTheOldestWithoutPressureOrMarks() throws Exception {
    Tracer tracer = recorder();
    record(tracer, 0, 1_000);

    tracer.dump(FILE, "test");

    List<Long> kept = dump(FILE).firstValues(Lane.INDEX);
    assertThat(kept).as("four rings of ten events").hasSizeBetween(30, 40);
    assertThat(kept).isEqualTo(range(1_000 - kept.size(), 1_000));
    assertThat(dump(FILE).losses()).isEmpty();
    assertThat(dropped(tracer, Lane.INDEX, DropReason.REPLACED)).isEqualTo(1_000 - kept.size());
    assertThat(lane(tracer, Lane.INDEX).eventsDropped()).isEqualTo(1_000 - kept.size());
    assertThat(lane(tracer, Lane.INDEX).highWatermarkCrossings()).isZero();
    assertThat(balanced(tracer).isAccountedFor()).isTrue();
  }

  @Test
  void eachEventIsInOneDump() throws Exception {
    Tracer tracer = recorder();
    record(tracer, 0, 12);
    Path first = tracer.dump("first").file();
    record(tracer, 12, 12);
    Path second = tracer.dump("second").file();

    assertThat(dump(first).firstValues(Lane.INDEX)).isEqualTo(range(0, 12));
    assertThat(dump(second).firstValues(Lane.INDEX)).isEqualTo(range(12, 24));
  }

  @Test
  void aDumpHasTheEventsOfTheTimeGiven() throws Exception {
    Tracer tracer = recorder();
    record(tracer, 0, 15);
    time.advance(Duration.ofSeconds(40));
    record(tracer, 15, 3);
    time.advance(Duration.ofSeconds(40));
    record(tracer, 18, 2);
    tracer.critical().record(CRASH, "of any age");
    time.advance(Duration.ofSeconds(15));

    tracer.dump(FILE, "test");

    assertThat(dump(FILE).firstValues(Lane.INDEX)).isEqualTo(range(15, 20));
    assertThat(dump(FILE).texts(Lane.CRITICAL)).containsExactly("of any age", "test");
    assertThat(dropped(tracer, Lane.INDEX, DropReason.REPLACED)).isEqualTo(15);
    assertThat(balanced(tracer).isAccountedFor()).isTrue();
  }

  @Test
  void whatThreadsThatHaveEndedRecordedIsKept() throws Exception {
    Tracer tracer = recorder();
    for (int i = 0; i < 4; i++) {
      int value = i;
      onAnotherThread(() -> record(tracer, value, 1));
      time.awaitSleepers(2);
      time.advance(Duration.ofSeconds(1));
      time.awaitSleepers(2);
    }

    tracer.dump(FILE, "test");

    assertThat(dump(FILE).firstValues(Lane.INDEX)).containsExactlyInAnyOrder(0L, 1L, 2L, 3L);
    assertThat(balanced(tracer).isAccountedFor()).isTrue();
  }

  @Test
  void closingDumpsWhatIsLeft() {
    Tracer tracer = recorder();
    record(tracer, 0, 5);
    assertThat(close(tracer).isClean()).isTrue();
    assertThat(sink.dumps()).hasSize(1);
    assertThat(sink.dumps().values().iterator().next().firstValues(Lane.INDEX))
        .isEqualTo(range(0, 5));
    assertThat(sink.isClosed()).isTrue();
    assertThat(balanced(tracer).delivered()).isEqualTo(5);
  }

  @Test
  void closingWithNothingInMemoryNamesNoFile() {
    Tracer tracer = recorder();
    assertThat(close(tracer).isClean()).isTrue();
    assertThat(log.messages(Level.INFO))
        .contains("tracer dumped nothing, as nothing was in memory reason=close")
        .noneMatch(line -> line.contains("file="));
  }

  @Test
  void aDumpThatFailsLosesNothing() throws Exception {
    Tracer tracer = recorder();
    record(tracer, 0, 5);
    sink.fail(true);
    assertThatThrownBy(() -> tracer.dump(FILE, "first"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("told to fail");
    sink.fail(false);
    Path second = tracer.dump("second").file();

    assertThat(dump(second).firstValues(Lane.INDEX)).isEqualTo(range(0, 5));
    assertThat(dump(second).texts(Lane.CRITICAL)).containsExactly("first", "second");
    assertThat(balanced(tracer).delivered()).isEqualTo(7);
  }

  @Test
  void aDumpThatHangsEndsForItsCaller() throws Exception {
    Tracer tracer =
        started(
            builder -> builder.keepLast(Duration.ofMinutes(1)).closeTimeout(Duration.ofSeconds(5)));
    record(tracer, 0, 5);
    sink.hang();
    AtomicLong failed = new AtomicLong();
    Thread asking =
        Threads.daemon("asking")
            .newThread(
                () -> {
                  try {
                    tracer.dump(FILE, "test");
                  } catch (IOException | InterruptedException e) {
                    failed.incrementAndGet();
                  }
                });
    asking.start();
    Eventually.await("the dump hangs", () -> sink.dumps().containsKey(FILE));
    Eventually.await(
        "the caller is given up",
        () -> {
          time.advance(Duration.ofSeconds(5));
          return failed.get() == 1;
        });
    sink.goOn();
  }

  @Test
  void anUncaughtExceptionDumpsOnceInAPause() throws Exception {
    Tracer tracer =
        started(builder -> builder.keepLast(Duration.ofMinutes(60)).captureCrashes(true));
    record(tracer, 0, 3);
    for (int i = 0; i < 3; i++) {
      crash();
    }
    Eventually.await("dumped", () -> sink.dumps().size() == 1);
    MemorySink first = sink.dumps().values().iterator().next();
    Eventually.await("written", first::isClosed);
    assertThat(first.firstValues(Lane.INDEX)).isEqualTo(range(0, 3));
    assertThat(first.texts(Lane.CRITICAL))
        .contains("uncaught java.lang.IllegalStateException in thread crashing");

    time.advance(Duration.ofSeconds(61));
    crash();
    Eventually.await("dumped again", () -> sink.dumps().size() == 2);
  }

  private static void crash() throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              throw new IllegalStateException("on purpose");
            },
            "crashing");
    thread.start();
    thread.join();
  }

  @Test
  void aSlowSpanDumpsOnceInAPause() throws Exception {
    Tracer tracer =
        started(
            builder ->
                builder
                    .keepLast(Duration.ofMinutes(60))
                    .dumpWhenSlower(CHECKOUT, Duration.ofSeconds(2)));
    checkout(tracer, Duration.ofSeconds(2));
    try (TraceSpan other = tracer.index().span(STEP)) {
      time.advance(Duration.ofSeconds(3));
    }
    assertThat(sink.dumps()).isEmpty();

    checkout(tracer, Duration.ofMillis(2_001));
    checkout(tracer, Duration.ofSeconds(5));
    Eventually.await("dumped", () -> sink.dumps().size() == 1);
    MemorySink first = sink.dumps().values().iterator().next();
    Eventually.await("written", first::isClosed);
    assertThat(first.texts(Lane.CRITICAL)).containsExactly("slow span test.checkout took PT2.001S");

    time.advance(Duration.ofSeconds(60));
    Thread shared = Threads.daemon("shared").newThread(() -> checkout(tracer, SLOW));
    shared.start();
    shared.join();
    Eventually.await("dumped again", () -> sink.dumps().size() == 2);
  }

  private void checkout(Tracer tracer, Duration takes) {
    try (TraceSpan span = tracer.index().span(CHECKOUT, 1)) {
      time.advance(takes);
    }
  }

  @Test
  void jmxDumps() throws Exception {
    Tracer tracer = recorder();
    record(tracer, 0, 3);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name =
        server.queryNames(new ObjectName("tracer:type=FlightRecorder,*"), null).stream()
            .reduce((older, newer) -> number(newer) > number(older) ? newer : older)
            .orElseThrow();
    String[] types = {String.class.getName(), String.class.getName()};

    Object file = server.invoke(name, "dump", new Object[] {"", "by JMX"}, types);

    assertThat(dump(Path.of((String) file)).firstValues(Lane.INDEX)).isEqualTo(range(0, 3));
    close(tracer);
    assertThat(server.isRegistered(name)).isFalse();
  }

  private static int number(ObjectName name) {
    return Integer.parseInt(name.getKeyProperty("name"));
  }

  @Test
  void memoryIsWhatWasGiven() {
    long bytes = 10L << 20;
    Tracer tracer = started(builder -> builder.producers(2).keepLast(bytes));
    assertThat(log.lines()).anyMatch(line -> line.contains("flightRecorder=true"));
    for (int i = 0; i < 500_000; i++) {
      tracer.index().record(STEP, i, 0);
    }
    long held = tracer.ledger().held();
    assertThat(held * 40).isBetween(bytes / 4, bytes);
  }

  @Test
  void mistakesAreNamed() throws Exception {
    assertThatThrownBy(() -> stopped(builder -> builder.keepLast(Duration.ZERO)))
        .hasMessageContaining("keepLast must be more than zero and a year or less but was PT0S");
    assertThatThrownBy(() -> stopped(builder -> builder.keepLast(Long.MAX_VALUE)))
        .hasMessageContaining("keepLast must be from 1 to");
    assertThatThrownBy(() -> stopped(builder -> builder.keepLast(100)))
        .hasMessageContaining(
            "keepLast must be 2640 bytes (4 rings and one for copies) or more but was 100");
    assertThatThrownBy(() -> stopped(builder -> builder.keepLast(1 << 20).submitQueueCapacity(3)))
        .hasMessageContaining("submitQueueCapacity must not be set with keepLast but was 3");
    assertThatThrownBy(() -> Tracer.builder(new NoDumps()).keepLast(1 << 20).build())
        .hasMessageContaining("keepLast needs a sink that can write dumps")
        .hasMessageContaining("NoDumps");
    assertThatThrownBy(() -> stopped(builder -> builder.dumpWhenSlower(CHECKOUT, SLOW)))
        .hasMessageContaining("dumpWhenSlower needs a flight recorder")
        .hasMessageContaining("test.checkout");
    assertThatThrownBy(() -> started().dump(FILE, "test"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("build it with keepLast(...)");
    assertThatThrownBy(() -> closed(recorder()).dump(FILE, "test"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not started or is closed");
  }

  private static final class NoDumps implements TraceSink {
    @Override
    public void write(TraceBatch batch) {}
  }

  @Test
  void underLoadEveryEventIsInADumpOrReplaced() throws Exception {
    Tracer tracer =
        started(
            builder ->
                builder
                    .time(holdfast.time.TimeSource.system())
                    .producers(4)
                    .peakRate(40_000)
                    .keepLast(Duration.ofMinutes(1)));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Thread thread = new Thread(() -> record(tracer, 0, 200_000));
      thread.start();
      threads.add(thread);
    }
    long dumped = 0;
    for (int i = 0; i < 20; i++) {
      dumped += tracer.dump("dump " + i).events();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    dumped += tracer.dump("last").events();

    assertThat(balanced(tracer).delivered()).isEqualTo(dumped);
    long replaced = dropped(tracer, Lane.INDEX, DropReason.REPLACED);
    assertThat(dumped + replaced).isEqualTo(1_200_000 + 21);
    assertThat(sink.dumps().values()).flatExtracting(MemorySink::losses).isEqualTo(noLosses());
  }

  private static List<DataLoss> noLosses() {
    return List.of();
  }
}
