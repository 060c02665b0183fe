package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tracer.Tracer;

/** Files that were cut off, overwritten or left by a killed process are read as far as possible. */
class DamageTest extends FilesFixture {
  private static final int CHUNKS = 8;

  /** A file of chunks with ten events each. */
  private byte[] file() throws Exception {
    Tracer tracer = started(PerfettoFiles.in(directory));
    for (int i = 0; i < CHUNKS; i++) {
      record(tracer, i * 10L, i * 10L + 10);
      flush(tracer);
    }
    tracer.close();
    return Files.readAllBytes(segments().get(0));
  }

  private List<Long> read(byte[] bytes) throws IOException {
    Path copy = directory.resolve("copy");
    Files.write(copy, bytes);
    List<TraceEntry> entries = new ArrayList<>();
    TraceReader.read(copy, entries::add);
    return firstValues(entries);
  }

  private static List<Long> chunk(int number) {
    List<Long> values = new ArrayList<>();
    for (long i = number * 10L; i < number * 10L + 10; i++) {
      values.add(i);
    }
    return values;
  }

  @Test
  void aFileThatEndsAnywhereIsReadUpToItsLastWholeChunk() throws Exception {
    byte[] whole = file();
    assertThat(read(whole)).hasSize(CHUNKS * 10);
    int before = 0;
    for (int length = 0; length <= whole.length; length += 7) {
      List<Long> values = read(Arrays.copyOf(whole, length));
      assertThat(values.size() % 10).isZero();
      assertThat(values.size()).isGreaterThanOrEqualTo(before);
      before = values.size();
      for (int i = 0; i < values.size() / 10; i++) {
        assertThat(values.subList(i * 10, i * 10 + 10)).isEqualTo(chunk(i));
      }
    }
  }

  @Test
  void damageCostsOnlyTheChunksItIsIn() throws Exception {
    byte[] whole = file();
    Random random = new Random(42);
    for (int round = 0; round < 300; round++) {
      byte[] damaged = whole.clone();
      int at = random.nextInt(damaged.length);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      List<Long> values = read(damaged);

      assertThat(values).hasSize((CHUNKS - 1) * 10).doesNotHaveDuplicates().isSorted();
    }
  }

  @Test
  void rubbishIsNoTraceAndNoDanger() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      byte[] rubbish = new byte[random.nextInt(5000)];
      random.nextBytes(rubbish);
      assertThat(read(rubbish)).isEmpty();
    }
    byte[] whole = file();
    byte[] between = new byte[whole.length + 1000];
    System.arraycopy(whole, 0, between, 1000, whole.length);
    assertThat(read(between)).hasSize(CHUNKS * 10);
  }

  @Test
  void aChunkThatIsWholeAndMakesNoSenseIsPassedOver() throws Exception {
    WireWriter odd = new WireWriter();
    Chunk.begin(odd);
    odd.fixed(-1);
    Chunk.end(odd, 0);
    byte[] whole = file();
    byte[] both = Arrays.copyOf(odd.bytes(), odd.size() + whole.length);
    System.arraycopy(whole, 0, both, odd.size(), whole.length);

    assertThat(read(both)).hasSize(CHUNKS * 10);
  }

  /** Records until it is killed, and tells what it has made sure of. */
  static final class Recorder {
    public static void main(String[] args) throws InterruptedException {
      Tracer tracer =
          Tracer.builder(PerfettoFiles.in(Path.of(args[0])).segmentBytes(200_000)).build();
      tracer.start();
      for (long i = 0; ; i++) {
        tracer.index().record(STEP, i, -i);
        if (i % 1000 == 999 && tracer.flush(Duration.ofSeconds(10))) {
          Acknowledged.line(Long.toString(i));
        }
      }
    }
  }

  @Test
  void aKilledProcessLeavesFilesWithAllThatWasFlushed() throws Exception {
    long flushed;
    try (ChildJvm child = ChildJvm.of(Recorder.class, directory.toString()).start()) {
      child.awaitLines(20, Duration.ofSeconds(30));
      child.kill();
      List<String> lines = child.lines();
      flushed = Long.parseLong(lines.get(lines.size() - 1));
    }
    List<TraceEntry> entries = new ArrayList<>();
    for (Path file : segments()) {
      TraceReader.read(file, entries::add);
    }
    List<Long> values = firstValues(entries);

    assertThat(values).isSorted().doesNotHaveDuplicates();
    assertThat(values.get(0)).isZero();
    assertThat(values.get(values.size() - 1)).isGreaterThanOrEqualTo(flushed);
    assertThat(values).hasSize(Math.toIntExact(values.get(values.size() - 1) + 1));
  }
}
