package benchmarks.tracer;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/**
 * What a span costs the thread that records it, beside an instant, while a consumer keeps up: begin
 * and end with the time, without and with a value. Room is waited for outside of what is measured.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 6, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class TraceSpans {
  private static final int CALLS = 5_000;
  private static final int CAPACITY = 1 << 16;
  private static final TraceEvent STEP = TraceEvent.named("benchmark.step");
  private static final TraceEvent OFF = TraceEvent.named("disabled.step");

  /** An operation, and what takes the records of it. */
  @State(Scope.Benchmark)
  public static class Field {
    /** Which operation. */
    @Param({
      "nothing",
      "instant",
      "instant with a value",
      "instant with two values",
      "span",
      "span with a value",
      "span with four values",
      "begin and end",
      "counter",
      "array by hand: begin and end",
      "JFR event",
      "OpenTelemetry span",
      "disabled instant",
      "disabled span",
      "disabled begin and end",
      "no-op tracer: span"
    })
    public String contender = "";

    private final AtomicLong taken = new AtomicLong();
    private LongSupplier read = taken::get;
    private long given;
    private long counted;
    private long sum;
    private Operation operation = i -> {};
    private AutoCloseable after = () -> {};

    /** Starts it. */
    @Setup
    public void start() {
      switch (contender) {
        case "nothing" -> operation = i -> counted += i;
        case "array by hand: begin and end" -> array();
        case "JFR event" -> jfr();
        case "OpenTelemetry span" -> openTelemetry();
        case "no-op tracer: span" -> operation = operation(tracer.Tracer.noop(), "span");
        default -> tracer();
      }
    }

    private void tracer() {
      tracer.Tracer recording =
          tracer.Tracer.builder((TraceSink) this::read)
              .producers(1)
              .peakRate(CAPACITY)
              .burstWindow(Duration.ofSeconds(1))
              .flushInterval(Duration.ofMillis(1))
              .captureCrashes(false)
              .registerShutdownHook(false)
              .build();
      recording.disableCategory("disabled");
      recording.start();
      operation = operation(recording, contender);
      after =
          () -> {
            recording.close();
            if (recording.ledger().lost() > 0) {
              throw new IllegalStateException(recording.ledger().toLine());
            }
          };
    }

    private static Operation operation(tracer.Tracer tracer, String contender) {
      return switch (contender) {
        case "instant" -> i -> tracer.index().record(STEP);
        case "instant with a value" -> i -> tracer.index().record(STEP, i);
        case "instant with two values" -> i -> tracer.index().record(STEP, i, ~i);
        case "span" -> i -> tracer.index().span(STEP).close();
        case "span with a value" -> i -> tracer.index().span(STEP, i).close();
        case "span with four values" -> i -> tracer.index().span(STEP, i, i, i, i).close();
        case "begin and end" ->
            i -> {
              tracer.index().begin(STEP);
              tracer.index().end(STEP);
            };
        case "counter" -> i -> tracer.index().counter(STEP, i);
        case "disabled instant" -> i -> tracer.index().record(OFF, i);
        case "disabled span" ->
            i -> {
              TraceSpan span = tracer.index().span(OFF, i);
              span.close();
            };
        case "disabled begin and end" ->
            i -> {
              tracer.index().begin(OFF, i);
              tracer.index().end(OFF);
            };
        default -> throw new IllegalArgumentException(contender);
      };
    }

    private void read(TraceBatch batch) {
      long all = 0;
      while (batch.next()) {
        all += batch.time() + batch.threadId() + batch.eventId() + batch.a() + batch.began();
      }
      sum += all;
      taken.setRelease(taken.getPlain() + batch.size());
    }

    private void array() {
      ArrayRing ring = new ArrayRing(CAPACITY);
      operation =
          i -> {
            ring.record(i, 1);
            ring.record(i, 2);
          };
      read = ring::taken;
      after = ring;
    }

    private void jfr() {
      Recording recording = new Recording();
      recording.enable(Step.class).withoutStackTrace().withoutThreshold();
      recording.start();
      operation =
          i -> {
            Step step = new Step();
            step.begin();
            step.order = i;
            step.commit();
          };
      after = recording;
    }

    private void openTelemetry() {
      SdkTracerProvider provider =
          SdkTracerProvider.builder()
              .addSpanProcessor(BatchSpanProcessor.builder(new NoExporter()).build())
              .build();
      Tracer spans = provider.get("benchmark");
      operation =
          i -> {
            Span span = spans.spanBuilder("benchmark.step").startSpan();
            span.setAttribute("order", i);
            span.end();
          };
      after = provider;
    }

    /** Ends it. */
    @TearDown
    public void close() throws Exception {
      after.close();
      Sums.keep(sum + counted);
    }

    private int records() {
      return switch (contender) {
        case "instant", "instant with a value", "instant with two values", "counter" -> 1;
        case "span",
            "span with a value",
            "span with four values",
            "begin and end",
            "array by hand: begin and end" ->
            2;
        default -> 0;
      };
    }

    @SuppressWarnings("ThreadPriorityCheck") // the consumer needs the processor
    private void awaitRoom() {
      while (given - read.getAsLong() > CAPACITY / 4) {
        Thread.yield();
      }
    }
  }

  /** Waits, unmeasured, until there is room. */
  @State(Scope.Thread)
  public static class Room {
    /** Before each invocation. */
    @Setup(Level.Invocation)
    public void await(Field field) {
      field.awaitRoom();
    }
  }

  /** What is measured. */
  @FunctionalInterface
  private interface Operation {
    void run(long i);
  }

  /** The same fields as an event of Java Flight Recorder. */
  @Name("benchmark.Step")
  @Label("Step")
  @StackTrace(false)
  static final class Step extends Event {
    @Label("Order")
    long order;
  }

  /** Takes spans and does nothing with them. */
  private static final class NoExporter implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  /** One operation. */
  @Benchmark
  @OperationsPerInvocation(CALLS)
  public void oneThread(Field field, Room room) {
    Operation operation = field.operation;
    for (int i = 0; i < CALLS; i++) {
      operation.run(i);
    }
    field.given += (long) field.records() * CALLS;
  }
}
