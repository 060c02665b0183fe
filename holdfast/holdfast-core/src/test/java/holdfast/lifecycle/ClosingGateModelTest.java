package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Walks through the interleavings of calls and a close; the model checker needs public classes. */
@Tag("model")
public class ClosingGateModelTest {

  /** A room with a gate: it is finished once the gate is closed and has drained. */
  public static class GuardedRoom {
    private final ClosingGate gate = new ClosingGate();
    private volatile boolean finished;

    /** Never "late" when run one after the other, so never "late" at all, or it is no gate. */
    @Operation
    public String call() {
      if (!gate.enter()) {
        return "refused";
      }
      try {
        return finished ? "late" : "done";
      } finally {
        gate.exit();
      }
    }

    @Operation
    public void close() {
      gate.close();
      if (gate.isDrained()) {
        finished = true;
      }
    }
  }

  /** The same room with the usual mistake: first it looks, then it enters. */
  public static class CarelessRoom {
    private volatile boolean closed;
    private volatile int inside;
    private volatile boolean finished;

    @Operation
    public String call() {
      if (closed) {
        return "refused";
      }
      enter();
      String outcome = finished ? "late" : "done";
      exit();
      return outcome;
    }

    @Operation
    public void close() {
      closed = true;
      if (inside == 0) {
        finished = true;
      }
    }

    private synchronized void enter() {
      inside++;
    }

    private synchronized void exit() {
      inside--;
    }
  }

  private static ModelCheckingOptions options(int scenarios) {
    return new ModelCheckingOptions()
        .iterations(scenarios)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(1)
        .invocationsPerIteration(2_000);
  }

  @Test
  void noCallSlipsInAfterTheGateHasDrained() {
    options(10).check(GuardedRoom.class);
  }

  @Test
  @Tag("long")
  void noCallSlipsInAfterTheGateHasDrainedInManyScenarios() {
    options(50).check(GuardedRoom.class);
  }

  @Test
  void theModelWouldFindACallThatSlipsIn() {
    assertThatThrownBy(() -> options(10).check(CarelessRoom.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("late");
  }
}
