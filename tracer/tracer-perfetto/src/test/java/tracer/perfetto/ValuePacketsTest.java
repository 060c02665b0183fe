package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ValuePacketsTest {
  private static final int FIELD = 1;

  private static byte[] number(long value) {
    byte[] into = new byte[32];
    Arrays.fill(into, (byte) 0x55);
    return Arrays.copyOfRange(into, 3, ValuePackets.number(into, 3, value));
  }

  /** As the loop writes it, without the tag before it. */
  private static byte[] expected(long value) {
    WireWriter out = new WireWriter();
    out.field(FIELD, value);
    return Arrays.copyOfRange(out.bytes(), 1, out.size());
  }

  @Test
  void numbersAreWrittenAsTheLoopWritesThem() {
    LongStream edges =
        LongStream.range(0, Long.SIZE)
            .flatMap(bit -> LongStream.of((1L << bit) - 1, 1L << bit, (1L << bit) + 1, -1L << bit));
    LongStream any =
        new Random(7).longs(20_000).map(value -> value >>> Math.floorMod(value, Long.SIZE));
    LongStream.concat(edges, any)
        .forEach(value -> assertThat(number(value)).as("%d", value).isEqualTo(expected(value)));
  }
}
