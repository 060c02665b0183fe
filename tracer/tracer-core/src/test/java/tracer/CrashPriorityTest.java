package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The ladder: what a critical event, and a detail event, may take from lower lanes. */
class CrashPriorityTest extends TracerFixture {

  private void fillAll(Tracer tracer) {
    record(tracer, 0, 40);
    note(tracer, 0, 3);
  }

  @Test
  void criticalEventsTakeTheirReserveThenRingsOfIndexThenOfDetailThenTheFile()
      throws InterruptedException, IOException {
    Tracer tracer = stopped();
    fillAll(tracer);
    assertThat(tracer.ledger().lost()).isZero();

    crash(tracer, 0, 2); // their own two rings
    assertThat(tracer.ledger().lost()).isZero();
    crash(tracer, 2, 3); // the three sealed rings of INDEX
    assertThat(lane(tracer, Lane.INDEX).eventsDropped()).isEqualTo(30);
    assertThat(lane(tracer, Lane.DETAIL).eventsDropped()).isZero();
    crash(tracer, 5, 2); // the two sealed rings of DETAIL
    assertThat(lane(tracer, Lane.DETAIL).eventsDropped()).isEqualTo(2);
    assertThat(Files.exists(directory.resolve("emergency.log"))).isFalse();
    crash(tracer, 7, 2); // nothing is left but what writers have in use
    assertThat(Files.readAllLines(directory.resolve("emergency.log")))
        .hasSize(2)
        .allMatch(line -> line.contains("event=test.crash length=" + large(7).length()));

    assertThat(lane(tracer, Lane.CRITICAL).eventsDropped()).isZero();
    assertThat(lane(tracer, Lane.CRITICAL).eventsWritten()).isEqualTo(9);
    tracer.start();
    flush(tracer);
    assertThat(sink.texts(Lane.CRITICAL)).isEqualTo(texts(0, 7));
    assertThat(sink.firstValues(Lane.INDEX)).isEqualTo(range(30, 40));
    assertThat(balanced(tracer).held()).isZero();
  }

  @Test
  void onlyWhenTheFileFailsTooItIsLostAndSaidToBe() {
    List<String> lost = new ArrayList<>();
    Tracer tracer =
        stopped(
            settings ->
                settings
                    .emergencyFile(directory) // cannot be written
                    .listener(
                        new TracerListener() {
                          @Override
                          public void criticalLost(TraceEvent event, DropReason reason) {
                            lost.add(event.name() + " " + reason.code());
                          }
                        }));
    fillAll(tracer);
    crash(tracer, 0, 7);
    assertThat(tracer.critical().record(CRASH, large(7))).isFalse();

    assertThat(lost).containsExactly("test.crash RING_FULL");
    assertThat(dropped(tracer, Lane.CRITICAL, DropReason.RING_FULL)).isEqualTo(1);
    assertThat(tracer.ledger().isBalanced()).isTrue();
  }

  @Test
  void beforeADetailEventIsDroppedEveryIndexRingOutsideItsWritersHandsIsTaken()
      throws InterruptedException {
    Tracer tracer = stopped();
    record(tracer, 0, 40); // three rings sealed, one in use
    note(tracer, 0, 6);

    assertThat(lane(tracer, Lane.INDEX).eventsDropped()).isEqualTo(30);
    assertThat(lane(tracer, Lane.DETAIL).eventsDropped()).isZero();
    note(tracer, 6, 1);
    assertThat(lane(tracer, Lane.DETAIL).eventsDropped()).isEqualTo(1);

    tracer.start();
    flush(tracer);
    assertThat(sink.texts(Lane.DETAIL)).isEqualTo(texts(1, 7));
    // Lent rings have gone home: the lanes have again what they had.
    assertThat(lane(tracer, Lane.INDEX).poolFree()).isEqualTo(3);
    assertThat(lane(tracer, Lane.DETAIL).poolFree()).isEqualTo(2);
  }

  private void crash(Tracer tracer, int from, int count) {
    for (int i = from; i < from + count; i++) {
      assertThat(tracer.critical().record(CRASH, large(i))).isTrue();
    }
  }

  private List<String> texts(int from, int to) {
    return range(from, to).stream().map(i -> large(i.intValue())).toList();
  }
}
