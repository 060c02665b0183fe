package tracer.drain;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tracer.sink.TraceStart;

/** The moment that connects the clocks is as exact as the machine allows. */
class SinkCallsTest {

  /** Both clocks show the same; between some of their readings the thread has no processor. */
  private static final class BusyMachine implements TimeSource {
    private static final long PAUSE = 5_000_000;
    private long now;
    private int readings;

    private long read() {
      readings++;
      now += readings == 2 || readings % 4 == 0 ? PAUSE : 10;
      return now;
    }

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusNanos(read());
    }

    @Override
    public long nanoTime() {
      return read();
    }

    @Override
    public Alarm newAlarm() {
      return TimeSource.system().newAlarm();
    }
  }

  @Test
  void theClocksAreReadUntilNothingComesBetween() {
    TraceStart start = SinkCalls.now(new BusyMachine());

    long ofDay = start.instant().getNano() + 1_000_000_000 * start.instant().getEpochSecond();
    assertThat(start.nanoTime()).isBetween(ofDay - 20, ofDay + 20);
  }
}
