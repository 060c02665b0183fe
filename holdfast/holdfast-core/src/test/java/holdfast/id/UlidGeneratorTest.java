package holdfast.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Together;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UlidGeneratorTest {
  private static final RandomGenerator ONES = () -> -1L;
  private static final RandomGenerator ZEROS = () -> 0L;

  private Instant now = Instant.ofEpochMilli(1_469_918_176_385L);

  private UlidGenerator generator(RandomGenerator chance) {
    return new UlidGenerator(() -> now, chance);
  }

  @Test
  void writesTimeThenChanceInCrockfordsAlphabet() {
    assertThat(generator(ZEROS).next()).isEqualTo("01ARYZ6S41" + "0000000000000000");
    assertThat(generator(ONES).next()).isEqualTo("01ARYZ6S41" + "ZZZZZZZZZZZZZZZZ");
  }

  @Test
  void countsUpWithinOneMillisecond() {
    UlidGenerator generator = generator(ZEROS);
    assertThat(Stream.generate(generator::next).limit(33))
        .startsWith("01ARYZ6S410000000000000000", "01ARYZ6S410000000000000001")
        .endsWith("01ARYZ6S41000000000000000Z", "01ARYZ6S410000000000000010");
  }

  @Test
  void carriesFromTheLowerHalfOfTheChanceIntoTheUpper() {
    boolean[] first = {true};
    UlidGenerator generator =
        generator(
            () -> {
              long half = first[0] ? 0L : -1L;
              first[0] = false;
              return half;
            });
    assertThat(generator.next()).endsWith("00000000ZZZZZZZZ");
    assertThat(generator.next()).endsWith("0000000100000000");
  }

  @Test
  void runsOverIntoTheTimeWhenAMillisecondIsFull() {
    UlidGenerator generator = generator(ONES);
    assertThat(generator.next()).isEqualTo("01ARYZ6S41ZZZZZZZZZZZZZZZZ");
    assertThat(generator.next()).isEqualTo("01ARYZ6S420000000000000000");
    now = now.plusMillis(1);
    assertThat(generator.next()).isEqualTo("01ARYZ6S420000000000000001");
    now = now.plusMillis(1);
    assertThat(generator.next()).isEqualTo("01ARYZ6S43ZZZZZZZZZZZZZZZZ");
  }

  @Test
  void keepsItsOrderWhenTheClockGoesBack() {
    UlidGenerator generator = generator(ZEROS);
    String before = generator.next();
    now = now.minusSeconds(3_600);
    assertThat(generator.next()).isGreaterThan(before).startsWith("01ARYZ6S41");
  }

  @Test
  void refusesATimeItCannotWrite() {
    now = Instant.ofEpochMilli(1L << 48);
    assertThatThrownBy(generator(ZEROS)::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "a ULID needs a time from 1970 to 10889 but the clock shows"
                + " +10889-08-02T05:31:50.656Z; set the clock");
    now = Instant.ofEpochMilli(-1);
    assertThatThrownBy(generator(ZEROS)::next).isInstanceOf(IllegalStateException.class);
    now = Instant.MAX;
    assertThatThrownBy(generator(ZEROS)::next).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void endsWithTheLastOne() {
    now = Instant.ofEpochMilli((1L << 48) - 1);
    UlidGenerator generator = generator(ONES);
    assertThat(generator.next()).isEqualTo("7" + "Z".repeat(25));
    assertThatThrownBy(generator::next).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void eightMillionFromEightThreadsAreUniqueAndOrderedPerThread() throws Exception {
    int threads = 8;
    int each = 1_000_000;
    byte[][] made = new byte[threads][each * UlidGenerator.LENGTH];
    UlidGenerator generator = UlidGenerator.shared();
    Together.run(
        threads,
        thread -> {
          for (int i = 0; i < each; i++) {
            copy(generator.next(), made[thread], i);
          }
        });
    List<Cursor> cursors = new ArrayList<>();
    for (byte[] ids : made) {
      cursors.add(new Cursor(ids));
    }
    assertStrictlyAscendingWhenMerged(cursors, (long) threads * each);
  }

  private static void copy(String id, byte[] to, int index) {
    for (int i = 0; i < UlidGenerator.LENGTH; i++) {
      to[index * UlidGenerator.LENGTH + i] = (byte) id.charAt(i);
    }
  }

  /** Merging lists that ascend gives an ascending list; two equal neighbours would be a repeat. */
  private static void assertStrictlyAscendingWhenMerged(List<Cursor> cursors, long expected) {
    Cursor last = null;
    int lastAt = 0;
    long seen = 0;
    while (true) {
      Cursor least = null;
      for (Cursor cursor : cursors) {
        if (cursor.hasMore() && (least == null || cursor.compareTo(least) < 0)) {
          least = cursor;
        }
      }
      if (least == null) {
        break;
      }
      if (last != null && compare(last.ids, lastAt, least.ids, least.at) >= 0) {
        throw new AssertionError("not unique or not ordered: " + least.current());
      }
      last = least;
      lastAt = least.at;
      least.at += UlidGenerator.LENGTH;
      seen++;
    }
    assertThat(seen).isEqualTo(expected);
  }

  private static int compare(byte[] a, int fromA, byte[] b, int fromB) {
    int length = UlidGenerator.LENGTH;
    return Arrays.compare(a, fromA, fromA + length, b, fromB, fromB + length);
  }

  private static final class Cursor implements Comparable<Cursor> {
    final byte[] ids;
    int at;

    Cursor(byte[] ids) {
      this.ids = ids;
    }

    boolean hasMore() {
      return at < ids.length;
    }

    String current() {
      return new String(ids, at, UlidGenerator.LENGTH, java.nio.charset.StandardCharsets.US_ASCII);
    }

    @Override
    public int compareTo(Cursor other) {
      return compare(ids, at, other.ids, other.at);
    }
  }
}
