package tracer.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.spring.test.Settings;
import holdfast.testkit.time.SettableTime;
import holdfast.time.TimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tracer.Exclusions;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.TracerBuilder;
import tracer.sink.MemorySink;
import tracer.sink.TraceSink;

/** Every property reaches the setting of its name. */
@Timeout(60)
class TracerPropertiesTest {
  @TempDir Path directory;

  /** The builder of an application with these properties, after it was used. */
  private TracerBuilder builder(TraceSink sink, String... properties) {
    List<TracerBuilder> seen = new ArrayList<>();
    Contexts.bare()
        .withBean("sink", TraceSink.class, () -> sink)
        .withPropertyValues(properties)
        .withBean(TracerCustomizer.class, () -> seen::add)
        .run(context -> assertThat(context).hasNotFailed());
    return seen.get(0);
  }

  private void assertSetting(String field, Object expected, String... properties)
      throws ReflectiveOperationException {
    assertThat(Settings.of(builder(new MemorySink(), properties), field)).isEqualTo(expected);
  }

  @Test
  void settingsOfTheTracer() throws ReflectiveOperationException {
    assertSetting("peakRate", 500_000L, "tracer.peak-rate=500000");
    assertSetting("burstWindow", Duration.ofMillis(250), "tracer.burst-window=250ms");
    assertSetting("producers", 3, "tracer.producers=3");
    assertSetting("largestDetail", 128 << 10, "tracer.largest-detail=128KB");
    assertSetting("memoryLimit", 128L << 20, "tracer.memory-limit=128MB");
    assertSetting("flushInterval", Duration.ofMillis(50), "tracer.flush-interval=50ms");
    assertSetting("diskSlowAfter", Duration.ofSeconds(2), "tracer.disk-slow-after=2s");
    assertSetting("emergencyWait", Duration.ofSeconds(1), "tracer.emergency-wait=1s");
    assertSetting("closeTimeout", Duration.ofSeconds(3), "tracer.close-timeout=3s");
    assertSetting("captureCrashes", false, "tracer.capture-crashes=false");
    assertSetting(
        "emergencyFile",
        directory.resolve("emergency.log"),
        "tracer.emergency-file=" + directory.resolve("emergency.log"));
    assertSetting("registerShutdownHook", false);
    assertSetting("jvmEvents", Duration.ofMillis(10), "tracer.jvm-events=10ms");
  }

  @Test
  void settingsOfAFlightRecorder() throws ReflectiveOperationException {
    assertSetting("keepLast", Duration.ofSeconds(30), "tracer.keep-last=30s");
    assertSetting("keepLastBytes", 32L << 20, "tracer.keep-last-bytes=32MB");
    assertSetting(
        "dumpPause", Duration.ofSeconds(5), "tracer.dump-pause=5s", "tracer.keep-last=30s");
    assertSetting(
        "dumpWhenSlower",
        Map.of(
            TraceEvent.named("http.server.requests"),
            Duration.ofSeconds(2),
            TraceEvent.named("Orders.place"),
            Duration.ofMillis(300),
            TraceEvent.named("two words"),
            Duration.ofMinutes(1)),
        "tracer.keep-last=30s",
        "tracer.dump-when-slower.http.server.requests=2s",
        "tracer.dump-when-slower.Orders.place=300ms",
        "tracer.dump-when-slower[two words]=PT1M");
  }

  @Test
  void exclusions() throws ReflectiveOperationException {
    assertSetting(
        "exclusions",
        Exclusions.none().category("jdbc").category("tasks").name("order.step"),
        "tracer.exclude.categories=jdbc,tasks",
        "tracer.exclude.names=order.step");
  }

  @Test
  void settingsOfTheFiles() {
    Contexts.bare()
        .withPropertyValues(
            "tracer.directory=" + directory,
            "tracer.process-name=till",
            "tracer.segment-bytes=1MB",
            "tracer.total-bytes=8MB",
            "tracer.forced=true")
        .run(
            context -> {
              Object files = context.getBean("tracerFiles");
              assertThat(Settings.of(files, "directory")).isEqualTo(directory);
              assertThat(Settings.of(files, "processName")).isEqualTo("till");
              assertThat(Settings.of(files, "segmentBytes")).isEqualTo(1L << 20);
              assertThat(Settings.of(files, "totalBytes")).isEqualTo(8L << 20);
              assertThat(Settings.of(files, "forced")).isEqualTo(true);
            });
    Contexts.bare()
        .withPropertyValues("tracer.directory=" + directory)
        .run(
            context ->
                assertThat(Settings.of(context.getBean("tracerFiles"), "processName"))
                    .isEqualTo("shop"));
  }

  @Test
  void switches() {
    Contexts.bare()
        .withPropertyValues(
            "tracer.enabled=true",
            "tracer.directory=" + directory,
            "tracer.metrics.enabled=true",
            "tracer.observations.enabled=true",
            "tracer.observations.max-names=5")
        .run(context -> assertThat(context).hasSingleBean(Tracer.class));
  }

  @Test
  void aClockOfTheApplicationIsUsed() {
    SettableTime time = new SettableTime();
    Contexts.withSink(new MemorySink())
        .withBean(TimeSource.class, () -> time)
        .run(
            context ->
                assertThat(context.getBean(Tracer.class).index().now()).isEqualTo(time.nanoTime()));
  }
}
