package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.Unavailable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tracer.Tracer;

/** The files are what they claim to be, says a decoder that is not ours. */
class ProtocTest extends FilesFixture {

  private String decode(Path file) throws IOException, InterruptedException {
    Path protoc = Path.of(System.getProperty("basedir", ""), "target", "protoc", "protoc.exe");
    String system = System.getProperty("os.name") + "-" + System.getProperty("os.arch");
    if (!system.toLowerCase(Locale.ROOT).equals("linux-amd64")) {
      throw Unavailable.because("protoc for " + system);
    }
    Path runnable = directory.resolve("protoc");
    Files.copy(protoc, runnable);
    assertThat(runnable.toFile().setExecutable(true)).isTrue();
    try (InputStream definitions = ProtocTest.class.getResourceAsStream("/trace.proto")) {
      Files.copy(definitions, directory.resolve("trace.proto"));
    }
    Path text = directory.resolve("text");
    Process process =
        new ProcessBuilder(
                runnable.toString(), "--decode=Trace", "--proto_path=" + directory, "trace.proto")
            .redirectInput(file.toFile())
            .redirectOutput(text.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return Files.readString(text);
  }

  @Test
  void everyPacketIsReadByProtoc() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).build();
    record(tracer, 0, 500); // a hundred are dropped
    tracer.detail().record(NOTE, "some text");
    tracer.start();
    tracer.close();
    String text = decode(segments().get(0));

    assertThat(occurrences(text, "  track_event \\{")).isEqualTo(402);
    assertThat(occurrences(text, "type: TYPE_INSTANT")).isEqualTo(402);
    assertThat(occurrences(text, "previous_packet_dropped: true")).isEqualTo(1);
    assertThat(occurrences(text, "synchronization_marker: ")).isPositive();
    assertThat(text)
        .contains("name: \"shop.step\"", "name: \"shop.note\"", "name: \"data loss\"")
        .contains("name: \"INDEX\"", "name: \"DETAIL\"", "name: \"CRITICAL\"")
        .contains("int_value: -499", "string_value: \"some text\"")
        .contains("thread_name: \"" + Thread.currentThread().getName() + "\"")
        .contains("process_name: \"" + TraceOrigin.defaultProcessName() + "\"")
        .contains("process_labels: \"host=", " pid=" + ProcessHandle.current().pid())
        .contains("clock_id: 64", "clock_id: 1", "clock_id: 3", "primary_trace_clock: 1")
        .contains("timestamp_clock_id: 64", "timestamp: " + TrackPackets.START);
  }

  @Test
  void onlyTheFrameHasAFieldThatPerfettoDoesNotKnow() throws Exception {
    Tracer tracer = started(PerfettoFiles.in(directory));
    record(tracer, 0, 10);
    flush(tracer);
    tracer.close();
    String text = decode(segments().get(0));
    // As bytes, or as a message if the checksum happens to look like one.
    String frame = "(?m)^( *)" + Fields.CHUNK + "(: .*| \\{(\\R\\1 .*)*\\R\\1})$";
    assertThat(occurrences(text, frame)).isEqualTo(1);
    assertThat(occurrences(text.replaceAll(frame, ""), "(?m)^ *\\d+(: | \\{)")).isZero();
  }

  private static long occurrences(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().count();
  }
}
