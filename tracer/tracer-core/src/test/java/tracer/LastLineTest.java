package tracer;

import holdfast.testkit.process.LastLineContract;
import java.time.Duration;
import java.util.List;

/** With {@code java.util.logging}, whose handlers are gone by then. */
class LastLineTest extends LastLineContract {

  /** Records one event. */
  static final class Program {
    public static void main(String[] args) throws InterruptedException {
      Tracer tracer = Tracer.builder(batch -> {}).peakRate(1_000).build();
      tracer.start();
      tracer.index().record(TraceEvent.named("test.step"), 1, 2);
      tracer.flush(Duration.ofSeconds(60));
      ready(args);
    }
  }

  LastLineTest() {
    super(List.of("^INFO: tracer closed tracer accepted=\\d+ .* lost=0 "), Program.class);
  }
}
