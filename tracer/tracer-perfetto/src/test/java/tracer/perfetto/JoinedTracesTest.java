package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.time.SettableTime;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tracer.Tracer;
import tracer.sink.TraceStart;

/** Files of several processes can be joined: nothing in one means something else in another. */
class JoinedTracesTest extends FilesFixture {
  private static final Instant BEGAN = Instant.parse("2026-01-01T10:00:00Z");
  private static final TraceStart START = new TraceStart(BEGAN.plusSeconds(1), 7);

  private static TraceOrigin origin(String host, long pid, Instant began) {
    return TraceOrigin.of(host, pid, began, "shop", START);
  }

  @Test
  void processesOfTheSameNumberOnOtherHostsOrAtOtherTimesHaveOtherSequencesAndTracks() {
    Set<Integer> sequences = new HashSet<>();
    Set<Long> tracks = new HashSet<>();
    for (int host = 0; host < 10; host++) {
      for (int pid = 1; pid <= 10; pid++) {
        for (int second = 0; second < 10; second++) {
          TraceOrigin origin = origin("web-" + host, pid, BEGAN.plusSeconds(second));
          sequences.add(origin.sequence());
          tracks.add(origin.processTrack());
        }
      }
    }
    assertThat(sequences).hasSize(1000).allSatisfy(it -> assertThat(it).isPositive());
    assertThat(tracks).hasSize(1000).allSatisfy(it -> assertThat(it).isPositive());
  }

  @Test
  void processesOfTheSameNumberOnOtherHostsAreShownWithOtherNumbers() {
    for (long pid : new long[] {1, 4242}) {
      TraceOrigin one = origin("web-1", pid, BEGAN);
      TraceOrigin two = origin("web-2", pid, BEGAN);

      assertThat(one.shownPid())
          .isBetween(1L << 30, (1L << 31) - 1)
          .isEqualTo(origin("web-1", pid, BEGAN).shownPid())
          .isNotEqualTo(two.shownPid());
    }
  }

  @Test
  void tracersOfOneProcessShareItsTracksAndHaveSequencesOfTheirOwn() {
    TraceOrigin first = TraceOrigin.of("web", 1, BEGAN, "shop", START);
    TraceOrigin second =
        TraceOrigin.of("web", 1, BEGAN, "shop", new TraceStart(START.instant(), 8));

    assertThat(second.sequence()).isNotEqualTo(first.sequence());
    assertThat(second.threadTrack(5)).isEqualTo(first.threadTrack(5));
  }

  @Test
  void tracksOfThreadsSayWhichThreadAndOthersNone() {
    TraceOrigin origin = origin("web", 1, BEGAN);
    assertThat(LongStream.of(1, 77, 0xFFFF_FFFDL).map(origin::threadTrack))
        .allSatisfy(track -> assertThat(track >>> 32).isEqualTo(origin.processTrack() >>> 32))
        .extracting(TraceOrigin::threadOf)
        .containsExactly(1L, 77L, 0xFFFF_FFFDL);
    assertThat(
            LongStream.of(origin.processTrack(), origin.lossTrack(), origin.virtualThreadsTrack()))
        .doesNotHaveDuplicates()
        .extracting(TraceOrigin::threadOf)
        .containsOnly(0L);
  }

  @Test
  void theProcessHasItsNameAndTheNameMayBeSet() throws Exception {
    assertThat(TraceOrigin.defaultProcessName()).isNotBlank().doesNotContain("/", " ");
    assertThatThrownBy(() -> PerfettoFiles.in(directory).processName(" "))
        .hasMessage("PerfettoFiles: processName must not be blank but was ' '");
    Tracer tracer = started(PerfettoFiles.in(directory).processName("shop-42"));
    record(tracer, 0, 1);
    tracer.close();

    assertThat(Files.readString(segments().get(0), StandardCharsets.ISO_8859_1))
        .contains("shop-42", "host=", " pid=" + ProcessHandle.current().pid());
  }

  @Test
  void filesThatWereJoinedAreReadAsOne() throws Exception {
    Tracer one = started(PerfettoFiles.in(directory));
    record(one, 0, 50);
    one.close();
    time.setInstant(SettableTime.START.plusSeconds(60));
    Tracer two = started(PerfettoFiles.in(directory));
    record(two, 50, 100);
    two.close();

    Path joined = directory.resolve("joined");
    try (OutputStream out = Files.newOutputStream(joined)) {
      for (Path file : segments()) {
        Files.copy(file, out);
      }
    }
    List<TraceEntry> entries = new ArrayList<>();
    TraceReader.read(joined, entries::add);
    assertThat(firstValues(entries)).isEqualTo(LongStream.range(0, 100).boxed().toList());
    assertThat(entries.get(0).time()).isEqualTo(SettableTime.START);
    assertThat(entries.get(99).time()).isEqualTo(SettableTime.START.plusSeconds(60));
  }
}
