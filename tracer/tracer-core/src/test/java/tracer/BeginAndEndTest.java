package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.files.FileOperation;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;
import tracer.sink.TraceStart;

/** What a tracer begins with, and what becomes of its last events. */
class BeginAndEndTest extends TracerFixture {
  private static final Duration SHORT = Duration.ofMillis(100);

  @Test
  void criticalEventsThatTheSinkDidNotTakeAreInTheEmergencyFile() throws IOException {
    sink.fail(true);
    Tracer tracer = started(settings -> settings.closeTimeout(SHORT));
    record(tracer, 0, 5);
    for (int i = 0; i < 3; i++) { // two sealed rings, and one in use
      assertThat(tracer.critical().record(CRASH, large(i))).isTrue();
    }
    CloseReport report = close(tracer);

    assertThat(tracer.ledger().toLine())
        .isEqualTo("tracer accepted=8 delivered=3 held=0 lost=5(DISK_SLOW=5) unaccounted=0");
    String hex = HexFormat.of().formatHex(large(2).getBytes(StandardCharsets.UTF_8));
    assertThat(Files.readAllLines(directory.resolve("emergency.log")))
        .hasSize(3)
        .allMatch(line -> line.contains(" event=test.crash length=" + large(2).length()))
        .anyMatch(line -> line.startsWith(time.instant().toString()) && line.endsWith(hex));
  }

  @Test
  void aSlowDiskHasAsLongForCriticalEventsAsTheEmergencyWaitSays() throws Exception {
    FaultyFiles disk = FaultyFiles.over(directory);
    CountDownLatch never = new CountDownLatch(1);
    disk.failWhen(
        op -> {
          try { // longer than the second that there is in any case
            return op.operation() == FileOperation.FORCE
                && never.await(1300, TimeUnit.MILLISECONDS);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        () -> new IOException("not reached"));
    sink.fail(true);
    Tracer tracer =
        started(
            settings ->
                settings
                    .emergencyWait(Duration.ofSeconds(60))
                    .closeTimeout(Duration.ofSeconds(60))
                    .emergencyFile(disk.root().resolve("emergency.log")));
    for (int i = 0; i < 2; i++) {
      assertThat(tracer.critical().record(CRASH, large(i))).isTrue();
    }
    Thread closing = new Thread(tracer::close);
    closing.start();
    Eventually.await(
        "it is closed",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return !closing.isAlive();
        });

    assertThat(tracer.ledger().toLine())
        .isEqualTo("tracer accepted=2 delivered=2 held=0 lost=0 unaccounted=0");
    assertThat(Files.readAllLines(directory.resolve("emergency.log"))).hasSize(2);
  }

  @Test
  void criticalEventsThatNobodyTakesAtTheEndAreSaidToBeLost() {
    List<String> lost = new ArrayList<>();
    sink.fail(true);
    Tracer tracer =
        started(
            settings ->
                settings
                    .closeTimeout(SHORT)
                    .emergencyFile(directory) // cannot be written
                    .lifecycleListener(
                        new TracerLifecycleListener() {
                          @Override
                          public void criticalLost(TraceEvent event, DropReason reason) {
                            lost.add(event + " " + reason);
                          }
                        }));
    assertThat(tracer.critical().record(CRASH, "why")).isTrue();
    tracer.close();

    assertThat(lost).containsExactly("test.crash DISK_SLOW");
    assertThat(tracer.ledger().lost()).isEqualTo(1);
  }

  @Test
  void anInterruptedCallerLosesNothingOfWhatASinkTakesAtOnce() {
    Tracer tracer = started();
    record(tracer, 0, 40);
    Thread.currentThread().interrupt();
    CloseReport report = close(tracer);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(tracer.ledger().delivered()).isEqualTo(40);
  }

  @Test
  void startingAndClosingAtTheSameTimeLeavesNothingBehind() throws InterruptedException {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 200; i++) {
      Tracer tracer = stopped(settings -> settings.captureCrashes(true));
      Thread starting =
          new Thread(
              () -> {
                try {
                  tracer.start();
                } catch (IllegalStateException e) {
                  thrown.add(e);
                }
              });
      starting.start();
      tracer.close();
      starting.join();
    }
    assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(before);
    assertThat(thrown).allMatch(e -> e.getMessage().startsWith("Tracer is closed"));
  }

  @Test
  void theTraceBeginsBeforeItsFirstEventHoweverLateTheSinkOpens() throws InterruptedException {
    AtomicReference<TraceStart> start = new AtomicReference<>();
    List<Long> times = new ArrayList<>();
    TraceSink late =
        new TraceSink() {
          @Override
          public void open(TraceStart given) {
            start.set(given);
          }

          @Override
          public void write(TraceBatch batch) {
            while (batch.next()) {
              times.add(batch.time());
            }
          }
        };
    Tracer tracer = Tracer.builder(late).time(time).captureCrashes(false).build();
    record(tracer, 0, 1);
    time.advance(Duration.ofHours(3));
    tracer.start();
    flush(tracer);
    tracer.close();

    assertThat(times)
        .singleElement()
        .satisfies(t -> assertThat(t - start.get().nanoTime()).isZero());
  }
}
