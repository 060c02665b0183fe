package tracer.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tracer.Lane;

/** A ring against a plain queue: appended to, overwritten, copied from and read. */
class RingTest {
  private static final int WORDS = 50;

  /** The ring's owner, and what it believes to be in the ring. */
  private static final class Owner {
    final Ring ring = new Ring(0, Lane.DETAIL, WORDS);
    final Ring copy = new Ring(-1, Lane.DETAIL, WORDS);
    final Deque<List<Byte>> expected = new ArrayDeque<>();
    final Random random;
    long time;

    Owner(long seed) {
      this.random = new Random(seed);
    }

    void append() {
      byte[] bytes = new byte[random.nextInt((WORDS - RecordFormat.BYTES_HEAD) * Long.BYTES + 1)];
      if (random.nextInt(4) > 0) {
        bytes = new byte[random.nextInt(20)];
      }
      random.nextBytes(bytes);
      int size = (int) RecordFormat.wordsFor(bytes.length);
      // A ring whose events were copied has room again before anything must be dropped.
      boolean isFree = ring.freeRoom(size) > 0;
      long tail = isFree ? Ring.tail(ring.words()) : ring.makeRoom(size);
      int dropped = isFree ? 0 : ring.dropped();
      assertThat(isFree || dropped > 0).isTrue();
      for (int i = 0; i < dropped; i++) {
        expected.remove();
      }
      assertThat(ring.events()).isEqualTo(expected.size());
      int at = (int) tail;
      long[] words = ring.words();
      words[at] = RecordFormat.header(RecordFormat.BYTES, 7, 9);
      words[at + 1] = time++;
      words[at + 2] = bytes.length;
      RecordFormat.storeBytes(words, at + RecordFormat.BYTES_HEAD, bytes, 0, bytes.length);
      Ring.publish(words, tail + Ring.step(size));
      expected.add(list(bytes));
    }

    void check() {
      assertThat(read(ring)).isEqualTo(new ArrayList<>(expected));
      if (!expected.isEmpty()) {
        assertThat(ring.oldestTime()).isEqualTo(time - expected.size());
      }
    }

    void moveAway() {
      assertThat(ring.moveTo(copy)).isEqualTo(expected.size());
      assertThat(read(copy)).isEqualTo(new ArrayList<>(expected));
      copy.reset();
      expected.clear();
      assertThat(ring.events()).isZero();
    }
  }

  private static List<Byte> list(byte[] bytes) {
    List<Byte> list = new ArrayList<>();
    for (byte b : bytes) {
      list.add(b);
    }
    return list;
  }

  private static List<List<Byte>> read(Ring ring) {
    List<List<Byte>> events = new ArrayList<>();
    RingReader reader = ring.reader(Lane.DETAIL);
    while (reader.next()) {
      byte[] bytes = new byte[reader.length() + 2];
      reader.copyBytes(bytes, 1);
      assertThat(bytes[0]).isZero();
      assertThat(bytes[bytes.length - 1]).isZero();
      assertThat(reader.eventId()).isEqualTo(7);
      assertThat(reader.threadId()).isEqualTo(9);
      events.add(list(bytes).subList(1, bytes.length - 1));
    }
    assertThat(events).hasSize(reader.size());
    return events;
  }

  @Test
  void itHoldsTheNewestEventsWhateverTheirSizes() {
    for (long seed = 0; seed < 200; seed++) {
      Owner owner = new Owner(seed);
      for (int i = 0; i < 200; i++) {
        if (owner.random.nextInt(15) == 0) {
          owner.moveAway();
        }
        owner.append();
        owner.check();
      }
    }
  }

  @Test
  void headersKeepAllBits() {
    long header = RecordFormat.header(RecordFormat.THREE, (1 << 28) - 1, -1L);
    assertThat(RecordFormat.kind(header)).isEqualTo(RecordFormat.THREE);
    assertThat(RecordFormat.event(header)).isEqualTo((1 << 28) - 1);
    assertThat(RecordFormat.thread(header)).isEqualTo(0xFFFF_FFFFL);
  }
}
