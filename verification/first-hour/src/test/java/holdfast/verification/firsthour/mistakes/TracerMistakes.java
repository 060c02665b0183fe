package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Messages.thrown;
import static holdfast.verification.firsthour.mistakes.Messages.warned;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BUILD;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START_LOG;

import holdfast.verification.firsthour.mistakes.Mistake.Library;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.TracerBuilder;
import tracer.perfetto.PerfettoFiles;
import tracer.perfetto.TraceReader;
import tracer.sink.TraceSink;

/** Mistakes with the tracer. */
final class TracerMistakes {

  private TracerMistakes() {}

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.TRACER);
    settings(list);
    directories(list);
    use(list);
    return list.all();
  }

  private static TracerBuilder builder(TraceSink sink) {
    return Tracer.builder(sink)
        .producers(1)
        .peakRate(10_000)
        .closeTimeout(Duration.ofMillis(200))
        .captureCrashes(false)
        .registerShutdownHook(false);
  }

  private static TraceSink files() {
    return PerfettoFiles.in(Path.of("target/traces"));
  }

  private static String startWarning(Path directory) throws Exception {
    return warned(
        "tracer",
        () -> {
          try (Tracer tracer = builder(PerfettoFiles.in(directory)).build()) {
            tracer.start();
          }
        });
  }

  private static void settings(MistakeList list) {
    list.add(
            "no sink",
            BUILD,
            () -> thrown(() -> Tracer.builder(null)),
            "builder needs a TraceSink",
            "but was given null",
            "pass one such as PerfettoFiles.in(directory)")
        .add(
            "zero producers and a negative time",
            BUILD,
            () ->
                thrown(
                    () ->
                        builder(files())
                            .producers(0)
                            .flushInterval(Duration.ofSeconds(-1))
                            .build()),
            "Tracer: producers must",
            "but was 0; flushInterval must be more than zero and a year or less but was PT-1S",
            "producers must be from 1 to 1024")
        .add(
            "low watermark above the high one",
            BUILD,
            () -> thrown(() -> builder(files()).highWatermark(50).lowWatermark(80).build()),
            "Tracer: lowWatermark must",
            "but was 80",
            "lowWatermark must be from 0 to 49")
        .add(
            "memory limit too small",
            BUILD,
            () -> thrown(() -> builder(files()).memoryLimit(1_000).build()),
            "Tracer: memoryLimit must",
            "but was 1000",
            "be 328440 bytes (4 rings and one for copies) or more")
        .add(
            "burst too large for its rings",
            BUILD,
            () -> thrown(() -> builder(files()).peakRate(1_000_000_000).build()),
            "must give rings of 1677721 events or less",
            "but gives 125000000",
            "change one of them")
        .add(
            "zero bytes for a file",
            BUILD,
            () -> thrown(() -> PerfettoFiles.in(Path.of("target/traces")).segmentBytes(0)),
            "PerfettoFiles: segmentBytes must",
            "but was 0",
            "segmentBytes must be 1 or more");
  }

  private static void directories(MistakeList list) {
    list.add(
            "trace directory is a file",
            START_LOG,
            () ->
                Directories.temporary(
                    place -> startWarning(Files.createFile(place.resolve("traces")))),
            "the trace directory",
            "FileAlreadyExistsException",
            "take another with PerfettoFiles.in(...)")
        .add(
            "no permission on the trace directory",
            START_LOG,
            () -> Directories.withoutPermission(place -> startWarning(place.resolve("traces"))),
            "must be writable but is not",
            "AccessDeniedException",
            "make it a directory that this process may write to")
        .add(
            "directory given as a trace",
            CALL,
            () ->
                Directories.temporary(place -> thrown(() -> TraceReader.read(place, entry -> {}))),
            "a trace must be in a file",
            "is none",
            "name a file such as trace-*.perfetto-trace");
  }

  private static void use(MistakeList list) {
    list.add(
            "one sink for two tracers",
            START_LOG,
            () ->
                Directories.temporary(
                    place -> {
                      PerfettoFiles files = PerfettoFiles.in(place);
                      try (Tracer first = builder(files).build()) {
                        first.start();
                        first.index().record(TraceEvent.named("order"), 1, 2);
                        first.flush(Duration.ofSeconds(10));
                        return warned(
                            "tracer",
                            () -> {
                              try (Tracer second = builder(files).build()) {
                                second.start();
                                second.index().record(TraceEvent.named("order"), 1, 2);
                              }
                            });
                      }
                    }),
            "PerfettoFiles must be for one tracer",
            "but another has opened it",
            "make one for each")
        .add(
            "event without a name",
            CALL,
            () -> thrown(() -> TraceEvent.named(" ")),
            "the name of an event must",
            "but was ' '",
            "have from 1 to 256 characters, not all blank,")
        .add(
            "number of an event that was never named",
            CALL,
            () -> thrown(() -> TraceEvent.withId(65_000)),
            "id must be of a named event",
            "but was 65000",
            "take one that TraceEvent.named(...).id() returned")
        .add(
            "started after close",
            START,
            () ->
                Directories.temporary(
                    place -> {
                      Tracer tracer = builder(PerfettoFiles.in(place)).build();
                      tracer.close();
                      return thrown(tracer::start);
                    }),
            "cannot be started",
            "Tracer is closed",
            "make a new one");
  }
}
