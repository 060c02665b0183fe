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
import java.util.stream.LongStream;
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

  @Test
  void aFileThatEndsAnywhereIsReadUpToItsLastWholePacket() throws Exception {
    byte[] whole = file();
    assertThat(read(whole)).hasSize(CHUNKS * 10);
    int lastChunk = whole.length * (CHUNKS - 1) / CHUNKS;
    int before = 0;
    for (int length = 0; length < whole.length; length += length < lastChunk ? 7 : 1) {
      List<Long> values = read(Arrays.copyOf(whole, length));
      assertThat(values).isEqualTo(LongStream.range(0, values.size()).boxed().toList());
      assertThat(values.size()).isBetween(before, before + 1);
      before = values.size();
    }
    assertThat(before).isEqualTo(CHUNKS * 10 - 1);
  }

  @Test
  void tornBytesAreCountedAndWholePacketsAreNot() throws Exception {
    byte[] whole = file();
    Path copy = directory.resolve("copy");
    Files.write(copy, Arrays.copyOf(whole, whole.length - 1));
    TraceReader.Report report = TraceReader.read(copy, entry -> {});

    assertThat(report.truncated()).isTrue();
    assertThat(report.chunks()).isEqualTo(CHUNKS - 1);
    assertThat(report.damagedBytes()).isBetween(10L, 100L);
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

  /** A chunk with the right checksums, whatever is in it. */
  private static byte[] chunkOf(byte[] content) {
    WireWriter out = new WireWriter();
    Chunk.begin(out);
    out.reserve(content.length);
    System.arraycopy(content, 0, out.bytes(), out.size(), content.length);
    out.moveTo(out.size() + content.length);
    Chunk.end(out, 0);
    return Arrays.copyOf(out.bytes(), out.size());
  }

  @Test
  void wholeChunksOfOtherWritersAreNoDangerWhateverTheyHold() throws Exception {
    byte[] whole = file();
    byte[] content = Arrays.copyOfRange(whole, Chunk.HEADER, whole.length / CHUNKS);
    Random random = new Random(11);
    for (int round = 0; round < 2000; round++) {
      byte[] odd = content.clone();
      for (int i = 0; i <= random.nextInt(4); i++) {
        odd[random.nextInt(odd.length)] = (byte) random.nextInt();
      }
      Path copy = directory.resolve("copy");
      Files.write(copy, chunkOf(odd));
      TraceReader.read(copy, entry -> {}); // throws nothing
    }
  }

  @Test
  void readingTakesNoLongerThanTheFileIsLarge() throws Exception {
    int chunks = 400_000;
    WireWriter out = new WireWriter();
    for (int i = 0; i < chunks; i++) {
      int begun = out.size();
      Chunk.begin(out);
      int numbers = Chunk.numbers(begun);
      out.fixedAt(numbers, (chunks - i - 1) * Chunk.HEADER); // the rest of the file, it says
      out.fixedAt(numbers + 8, Chunk.checksum(out.bytes(), numbers, 8));
    }
    assertThat(read(Arrays.copyOf(out.bytes(), out.size()))).isEmpty();
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
