package tracer.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tracer.Lane;
import tracer.TraceEvent;

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

    void removeSome() {
      int most = random.nextInt(2 * WORDS);
      int count = ring.eventsWithin(most);
      int words = 0;
      for (int i = 0; i < count; i++) {
        words += (int) RecordFormat.wordsFor(expected.remove().size());
      }
      assertThat(words <= most || count == 1).isTrue();
      int next = expected.isEmpty() ? WORDS : expected.element().size();
      assertThat(expected.isEmpty() || words + RecordFormat.wordsFor(next) > most).isTrue();
      ring.removeOldest(count);
      assertThat(ring.events()).isEqualTo(expected.size());
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
    RingReader reader = ring.reader(ring.events(), Lane.DETAIL, thread -> "");
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
        } else if (owner.random.nextInt(15) == 0) {
          owner.removeSome();
          owner.check();
        }
        owner.append();
        owner.check();
      }
    }
  }

  @Test
  void headersKeepAllBits() {
    long header = RecordFormat.header(RecordFormat.THREE, TraceEvent.MOST_NAMES, -1L);
    assertThat(RecordFormat.isVirtual(header)).isFalse();
    header = RecordFormat.at(RecordFormat.virtual(header), RecordFormat.MOST_DEPTH);
    assertThat(RecordFormat.isVirtual(header)).isTrue();
    assertThat(RecordFormat.phase(header)).isEqualTo(RecordFormat.INSTANT);
    assertThat(RecordFormat.numbers(header)).isEqualTo(3);
    header = RecordFormat.as(header, RecordFormat.END | RecordFormat.MOST_NUMBERS);
    assertThat(RecordFormat.isVirtual(header)).isTrue();
    assertThat(RecordFormat.phase(header)).isEqualTo(RecordFormat.END);
    assertThat(RecordFormat.numbers(header)).isEqualTo(5);
    assertThat(RecordFormat.depth(header)).isEqualTo(127);
    assertThat(RecordFormat.event(header)).isEqualTo(TraceEvent.MOST_NAMES);
    assertThat(RecordFormat.thread(header)).isEqualTo(0xFFFF_FFFFL);
  }
}
