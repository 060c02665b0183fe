package tracer.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.DisposableBean;
import tracer.Exclusions;
import tracer.Lane;
import tracer.LaneMeter;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.TracerLifecycleListener;
import tracer.TracerMeter;
import tracer.micrometer.TracerMeters;
import tracer.perfetto.TraceEntry;
import tracer.perfetto.TraceReader;
import tracer.sink.MemorySink;
import tracer.sink.MemorySink.Seen;
import tracer.spring.ObservationSpans;
import tracer.spring.Traced;

/** What the starter makes of an application's properties and beans. */
@Timeout(60)
class TracerAutoConfigurationTest {
  private static final TraceEvent PLACED = TraceEvent.named("auto.placed");

  @TempDir Path directory;
  private final MemorySink sink = new MemorySink();

  private List<String> names() {
    return sink.events().stream().map(Seen::name).toList();
  }

  @Test
  void aDirectoryIsEnough() throws IOException {
    List<TraceEntry> entries = new ArrayList<>();
    Contexts.bare()
        .withPropertyValues("tracer.directory=" + directory)
        .run(
            context -> {
              assertThat(context).hasSingleBean(Tracer.class);
              context.getBean(Tracer.class).index().record(PLACED, 42);
            });

    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        assertThat(TraceReader.read(file, entries::add).damagedBytes()).isZero();
      }
    }
    assertThat(entries).extracting(TraceEntry::name).containsExactly("auto.placed");
  }

  @Test
  void aSinkOfTheApplicationIsUsedAndClosed() {
    Contexts.withSink(sink)
        .run(
            context -> {
              Tracer tracer = context.getBean(Tracer.class);
              tracer.index().record(PLACED);
              assertThat(tracer.flush(Duration.ofSeconds(20))).isTrue();
              assertThat(sink.isClosed()).isFalse();
            });

    assertThat(names()).containsExactly("auto.placed");
    assertThat(sink.isClosed()).isTrue();
  }

  /** Records when Spring destroys it, and does not know the tracer. */
  static class Ledger {
    @Traced("auto.balance")
    public void balance() {}
  }

  static class Till implements DisposableBean {
    private final Ledger ledger;

    Till(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    public void destroy() {
      ledger.balance();
    }
  }

  @Test
  void whatBeansRecordWhileTheyEndIsWritten() {
    Contexts.withSink(sink).withBean(Ledger.class).withBean(Till.class).run(context -> {});

    assertThat(names()).containsExactly("auto.balance", "auto.balance");
    assertThat(sink.isClosed()).isTrue();
  }

  @Test
  void anOwnTracerTakesPrecedence() {
    try (Tracer own = Tracer.builder(sink).registerShutdownHook(false).build()) {
      Contexts.bare()
          .withPropertyValues("tracer.directory=" + directory.resolve("unused"))
          .withBean("own", Tracer.class, () -> own)
          .run(
              context -> {
                assertThat(context).hasSingleBean(Tracer.class);
                assertThat(context.getBean(Tracer.class)).isSameAs(own);
                assertThat(context).hasSingleBean(ObservationSpans.class);
              });
    }
    assertThat(directory.resolve("unused")).doesNotExist();
  }

  @Test
  void aBeanOfAnotherLibraryMayBeCalledTracer() {
    Contexts.withSink(sink)
        .withBean("tracer", Object.class)
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Tracer.class));
  }

  @Test
  void switchedOffThereIsATracerThatRecordsNothing() {
    Contexts.withSink(sink)
        .withPropertyValues("tracer.enabled=false")
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              assertThat(context.getBean(Tracer.class)).isSameAs(Tracer.noop());
              assertThat(context).doesNotHaveBean(ObservationSpans.class);
              assertThat(context).doesNotHaveBean(TracerMeters.class);
              context.getBean(Tracer.class).index().record(PLACED);
            });

    assertThat(sink.events()).isEmpty();
  }

  @Test
  void withoutADirectoryThereIsNoTracerAndThatIsSaid() {
    try (CapturedLog log = new CapturedLog("tracer")) {
      Contexts.bare()
          .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Tracer.class));

      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "tracer is not there, nothing will be traced: the tracer needs a directory for its"
                  + " files but there is none; set tracer.directory, or define a TraceSink bean, or"
                  + " set tracer.enabled=false");
    }
  }

  @Test
  void anUnknownPropertyIsNamedWithTheNearestKnownOne() {
    try (CapturedLog log = new CapturedLog("holdfast.spring")) {
      Contexts.withSink(sink).withPropertyValues("tracer.keep-lst=30s").run(context -> {});

      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "property 'tracer.keep-lst' is set, but no library knows it, so it has no effect; the"
                  + " nearest known one is 'tracer.keep-last': correct the name, or remove it");
    }
  }

  @Test
  void aCustomizerOverridesProperties() {
    Contexts.withSink(sink)
        .withPropertyValues("tracer.exclude.categories=auto")
        .withBean(TracerCustomizer.class, () -> builder -> builder.exclude(Exclusions.none()))
        .run(context -> context.getBean(Tracer.class).index().record(PLACED));

    assertThat(names()).containsExactly("auto.placed");
  }

  @Test
  void lifecycleListenersAreCalled() {
    List<String> called = new CopyOnWriteArrayList<>();
    TracerLifecycleListener failing =
        new TracerLifecycleListener() {
          @Override
          public void sinkFailed(Exception cause) {
            throw new IllegalStateException("for the test");
          }
        };
    TracerLifecycleListener noting =
        new TracerLifecycleListener() {
          @Override
          public void sinkFailed(Exception cause) {
            called.add("failed");
          }

          @Override
          public void sinkRecovered() {
            called.add("recovered");
          }
        };
    sink.fail(true);
    Contexts.withSink(sink)
        .withBean("a", TracerLifecycleListener.class, () -> failing)
        .withBean("b", TracerLifecycleListener.class, () -> noting)
        .run(
            context -> {
              context.getBean(Tracer.class).index().record(PLACED);
              Eventually.await("failed", () -> called.contains("failed"));
              sink.fail(false);
              Eventually.await("recovered", () -> called.contains("recovered"));
            });
  }

  @Test
  void metersAndLedgerAreBound() {
    Contexts.withSink(sink)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              context.getBean(TracerMeters.class).bindTo(registry);
              assertThat(
                      registry
                          .get(LaneMeter.EVENTS_WRITTEN.meterName())
                          .tag("lane", Lane.INDEX.name().toLowerCase(Locale.ROOT))
                          .meter())
                  .isNotNull();
              assertThat(registry.get(TracerMeter.values()[0].meterName()).meter()).isNotNull();
            });
    Contexts.withSink(new MemorySink())
        .withPropertyValues("tracer.metrics.enabled=false")
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(context -> assertThat(context).doesNotHaveBean(TracerMeters.class));
  }

  @Test
  void spansOfObservationsCanBeSwitchedOff() {
    Contexts.withSink(sink)
        .withPropertyValues("tracer.observations.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(ObservationSpans.class));
  }
}
