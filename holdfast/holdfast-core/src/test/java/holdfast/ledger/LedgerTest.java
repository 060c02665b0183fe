package holdfast.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Together;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LedgerTest {

  private enum Why implements Reason {
    QUEUE_FULL("queue_full"),
    TOO_LARGE("too_large");

    private final String code;

    Why(String code) {
      this.code = code;
    }

    @Override
    public String code() {
      return code;
    }
  }

  private final Queue<Integer> queue = new ConcurrentLinkedQueue<>();
  private final Ledger ledger =
      Ledger.builder("eventlog")
          .reasons(List.of(Why.values()))
          .held("queue", queue::size)
          .held("disk", () -> 0)
          .build();

  @Test
  void startsEmptyWithEveryReasonAndPlaceAtZero() {
    assertThat(ledger.snapshot().toString())
        .isEqualTo(
            "LedgerSnapshot[library=eventlog, accepted=0, recoveredAtStartup=0, delivered=0,"
                + " lostByReason={queue_full=0, too_large=0}, heldByPlace={queue=0, disk=0},"
                + " inTransit=0]");
    assertThat(ledger.snapshot().isAccountedFor()).isTrue();
  }

  @Test
  void countsEachWayInAndOut() {
    ledger.accepted(10);
    ledger.recoveredAtStartup(2);
    ledger.delivered(6);
    ledger.lost(Why.QUEUE_FULL, 1);
    ledger.lost(Why.TOO_LARGE, 3);
    queue.addAll(List.of(1, 2));
    assertThat(ledger.snapshot().toLine())
        .isEqualTo(
            "eventlog accepted=10 recoveredAtStartup=2 delivered=6 held=2(queue=2)"
                + " lost=4(queue_full=1 too_large=3) unaccounted=0");
  }

  @Test
  void countsWhatIsInTransitFromTheBeginningOfAMoveToItsEnd() {
    ledger.accepted(3);
    queue.add(1);
    ledger.moving(2);
    assertThat(ledger.snapshot().toLine())
        .isEqualTo(
            "eventlog accepted=3 delivered=0 held=3(queue=1) lost=0 inTransit=2 unaccounted=2");
    queue.addAll(List.of(2, 3));
    ledger.moved(2);
    assertThat(ledger.snapshot().inTransit()).isZero();
    assertThat(ledger.snapshot().isAccountedFor()).isTrue();
  }

  @Test
  void refusesAReasonItDoesNotKnow() {
    assertThatThrownBy(() -> ledger.lost(() -> "bad_luck", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the ledger of eventlog has no reason 'bad_luck'; build the ledger with it");
  }

  @Test
  void refusesTwoReasonsWithOneCode() {
    List<Reason> same = List.of(() -> "same", () -> "same");
    assertThatThrownBy(() -> Ledger.builder("eventlog").reasons(same).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the ledger of eventlog must have one reason for each code but has [same, same]");
  }

  @Test
  void refusesToCountBackwards() {
    assertThatThrownBy(() -> ledger.accepted(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("count must be 0 or more but was -1");
    assertThatThrownBy(() -> ledger.recoveredAtStartup(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ledger.delivered(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ledger.lost(Why.TOO_LARGE, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void showsWhatPassesThroughWhileItIsReadAsHeldAndNeverAsMoreOutThanIn() {
    Ledger[] busy = new Ledger[1];
    Reason moving =
        () -> {
          if (busy[0] != null) {
            busy[0].accepted(1);
            busy[0].delivered(1);
          }
          return "moving";
        };
    busy[0] =
        Ledger.builder("busy")
            .reasons(List.of(moving))
            .held("queue", () -> passThrough(busy[0]))
            .build();
    for (int i = 0; i < 3; i++) {
      assertThat(notOut(busy[0].snapshot())).isNotNegative();
    }
  }

  private static long notOut(LedgerSnapshot ledger) {
    return ledger.accepted() + ledger.recoveredAtStartup() - ledger.delivered() - ledger.lost();
  }

  private static long passThrough(Ledger ledger) {
    ledger.accepted(1);
    ledger.delivered(1);
    return 0;
  }

  @Test
  void neverShowsMoreOutThanInUnderLoadAndBalancesExactlyAtRest() throws Exception {
    int writers = 8;
    int rounds = 200_000;
    AtomicInteger writing = new AtomicInteger(writers);
    AtomicInteger snapshots = new AtomicInteger();
    Together.run(
        writers + 1,
        thread -> {
          if (thread < writers) {
            write(thread, rounds);
            writing.decrementAndGet();
          } else {
            do {
              assertThat(notOut(ledger.snapshot())).isNotNegative();
              snapshots.incrementAndGet();
            } while (writing.get() > 0);
          }
        });
    LedgerSnapshot atRest = ledger.snapshot();
    assertThat(snapshots.get()).isPositive();
    assertThat(atRest.accepted()).isEqualTo((long) writers * rounds);
    assertThat(atRest.unaccounted()).isZero();
    assertThat(atRest.held()).isEqualTo(queue.size()).isPositive();
    assertThat(atRest.delivered()).isPositive();
    assertThat(atRest.lostByReason()).allSatisfy((why, count) -> assertThat(count).isPositive());
  }

  /**
   * What one thread puts in, any thread may take out, and at once: with next to nothing held, a
   * snapshot that reads the counters in the wrong order shows more out than in. The last stays.
   */
  private void write(int thread, int rounds) {
    SplittableRandom random = new SplittableRandom(thread);
    for (int i = 0; i < rounds; i++) {
      ledger.accepted(1);
      queue.add(i);
      if (i < rounds - 1 && queue.poll() != null) {
        switch (random.nextInt(4)) {
          case 0 -> ledger.lost(Why.QUEUE_FULL, 1);
          case 1 -> ledger.lost(Why.TOO_LARGE, 1);
          default -> ledger.delivered(1);
        }
      }
    }
  }
}
