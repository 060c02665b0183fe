package tracer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.disk.SmallDisk;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two hundred threads that fail at the same moment, while the sink is dead. */
class MustNotDropTest extends TracerFixture {
  private static final int THREADS = 200;
  private static final Duration LONG = Duration.ofSeconds(30);

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final Queue<String> lost = new ConcurrentLinkedQueue<>();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  /** A tracer with full rings whose sink fails. */
  private Tracer overloaded(Path emergency) {
    sink.fail(true);
    Tracer tracer =
        started(
            settings ->
                settings
                    .emergencyFile(emergency)
                    .emergencyWait(LONG)
                    .closeTimeout(LONG.multipliedBy(2))
                    .lifecycleListener(
                        new TracerLifecycleListener() {
                          @Override
                          public void criticalLost(TraceEvent event, DropReason reason) {
                            lost.add(event + " " + reason);
                          }
                        }));
    record(tracer, 0, 100);
    note(tracer, 0, 10);
    return tracer;
  }

  /** Records an event on each thread; gives the texts of those that are kept, it says. */
  private List<String> recordOnAll(Tracer tracer) throws Exception {
    CountDownLatch ready = new CountDownLatch(THREADS);
    List<Future<Boolean>> kept = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String text = large(i);
      kept.add(
          threads.submit(
              () -> {
                ready.countDown();
                ready.await();
                return tracer.critical().record(CRASH, text);
              }));
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      if (kept.get(i).get(50, TimeUnit.SECONDS)) {
        texts.add(large(i));
      }
    }
    return texts;
  }

  /** The texts in the emergency file, which must have whole lines only. */
  private static List<String> saved(Path emergency) throws IOException {
    try (Stream<String> lines = Files.lines(emergency)) {
      return lines.map(MustNotDropTest::text).toList();
    }
  }

  private static String text(String line) {
    assertThat(line).contains(" event=test.crash length=");
    String length = line.replaceAll(".* length=(\\d+) .*", "$1");
    String digits = line.substring(line.lastIndexOf('=') + 1);
    assertThat(digits).hasSize(2 * Integer.parseInt(length));
    return new String(HexFormat.of().parseHex(digits), UTF_8);
  }

  /** Closes it, while time passes; the emergency file has as long as it takes. */
  private void closeAsTimePasses(Tracer tracer) {
    Thread closing = new Thread(tracer::close);
    closing.start();
    Eventually.await(
        "it is closed",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return !closing.isAlive();
        });
  }

  private List<String> everywhere(Path emergency) throws IOException {
    List<String> found = new ArrayList<>(saved(emergency));
    found.addAll(sink.texts(Lane.CRITICAL));
    return found;
  }

  @Test
  void withADeadSinkAllAreKept() throws Exception {
    Path emergency = directory.resolve("emergency.log");
    Tracer tracer = overloaded(emergency);
    assertThat(recordOnAll(tracer)).hasSize(THREADS);
    closeAsTimePasses(tracer);

    assertThat(everywhere(emergency)).hasSize(THREADS).doesNotHaveDuplicates();
    assertThat(lane(tracer, Lane.CRITICAL).eventsDropped()).isZero();
    assertThat(lost).isEmpty();
    assertThat(balanced(tracer).held()).isZero();
  }

  @Test
  void withADeadSinkAndAFullDiskThoseAreKeptThatFitAndAllOthersCounted() throws Exception {
    try (SmallDisk disk = SmallDisk.of(60_000)) {
      Path emergency = disk.path().resolve("emergency.log");
      Tracer tracer = overloaded(emergency);
      List<String> kept = recordOnAll(tracer);
      assertThat(kept).hasSizeBetween(50, THREADS - 50);
      assertThat(lost).hasSize(THREADS - kept.size()).containsOnly("test.crash DISK_SLOW");
      assertThat(dropped(tracer, Lane.CRITICAL, DropReason.DISK_SLOW))
          .isEqualTo(THREADS - kept.size());

      sink.fail(false); // what is in rings is not lost
      Eventually.await(
          "it is written",
          () -> {
            time.advance(Duration.ofSeconds(1));
            return tracer.ledger().held() == 0;
          });
      assertThat(everywhere(emergency)).containsExactlyInAnyOrderElementsOf(kept);
      closeAsTimePasses(tracer);
      assertThat(tracer.ledger().isAccountedFor()).isTrue();
    }
  }

  @Test
  void onADiskThatTakesNothingNobodyWaitsAndNoFileIsLeft() throws Exception {
    try (SmallDisk disk = SmallDisk.of(60_000)) {
      disk.fill();
      Path emergency = disk.path().resolve("emergency.log");
      Tracer tracer = overloaded(emergency);
      List<String> kept = recordOnAll(tracer); // in rings
      assertThat(kept).hasSizeLessThan(20);
      closeAsTimePasses(tracer); // the sink has not taken them, nor does the file

      assertThat(emergency).doesNotExist();
      assertThat(lost).hasSize(THREADS).containsOnly("test.crash DISK_SLOW");
      assertThat(lane(tracer, Lane.CRITICAL).eventsDropped()).isEqualTo(THREADS);
      assertThat(tracer.ledger().isAccountedFor()).isTrue();
      assertThat(tracer.ledger().held()).isZero();
    }
  }
}
