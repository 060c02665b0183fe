package tracer.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tracer.Lane;
import tracer.lane.RingPool.Taken;
import tracer.ring.RingReader;

class DrainOrderTest {
  private final HandOverModelTest.Lanes lanes = new HandOverModelTest.Lanes(12);

  /** The events of the sealed rings, as writer and number, in the order of the drain. */
  private List<String> drained(int rings) {
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < rings; i++) {
      Taken taken = lanes.allocator.takeOldest();
      if (taken == null) {
        break;
      }
      RingReader reader = taken.ring().reader(taken.ring().events(), Lane.INDEX, thread -> "");
      while (reader.next()) {
        seen.add(reader.threadId() + ":" + reader.a());
      }
      lanes.allocator.giveBack(taken.ring());
    }
    return seen;
  }

  private void write(int first, int second) {
    for (int i = 0; i < first; i++) {
      lanes.writeFirst();
    }
    for (int i = 0; i < second; i++) {
      lanes.writeSecond();
    }
  }

  @Test
  void writersHaveTurnsAndGiveTheirOldest() {
    write(5, 3); // each has its last event in a ring that is not sealed
    assertThat(drained(10)).containsExactly("0:1", "1:1", "0:2", "1:2", "0:3", "0:4");
  }

  @Test
  void whoSealsFirstEachTimeIsNotServedFirstEachTime() {
    write(2, 2);
    assertThat(drained(1)).containsExactly("0:1");
    write(1, 1);
    assertThat(drained(1)).containsExactly("1:1");
    write(1, 1);
    assertThat(drained(2)).containsExactly("0:2", "1:2");
  }
}
