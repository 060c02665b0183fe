package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.spring.boot.StartException;
import holdfast.testkit.log.CapturedLog;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Which methods are logged, and what the application is told of the others when it starts. */
class LogEventPlacementTest {

  static class NotReached {
    @LogEvent("Pay")
    private void pay() {}

    @LogEvent("Refund")
    final void refund() {}

    @LogEvent("Count")
    static void count() {}

    void all() {
      pay();
      refund();
      count();
    }
  }

  static class Reached {
    @LogEvent("Ship")
    void ship() {}

    @LogEvent(step = "Pack", sequence = 1)
    protected void pack() {}
  }

  static class Blank {
    @LogEvent(" ")
    void pay() {}

    @LogEvent(step = "\t", targetSystem = " ")
    void pack() {}
  }

  @Test
  void aMethodThatAdviceCannotReachIsAWarningWithTheReason() {
    try (CapturedLog log = new CapturedLog("eventlog")) {
      Contexts.withApi()
          .withBean("orders", NotReached.class)
          .withBean(Reached.class)
          .run(context -> assertThat(context).hasNotFailed());
      String start = "eventlog method is not logged, advice cannot reach it method=NotReached#";
      assertThat(log.messages(Level.WARNING))
          .containsExactlyInAnyOrder(
              start + "pay bean=orders: the method is private: make it public",
              start + "refund bean=orders: the method is final: remove the modifier final",
              start + "count bean=orders: the method is static: remove the modifier static");
    }
  }

  @Test
  void aBlankAttributeFailsTheStartWithAllThatAre() {
    Contexts.withApi()
        .withBean(Blank.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining(
                        "value of @LogEvent on Blank#pay must have a text but is blank; write one"
                            + " or remove it")
                    .hasMessageContaining("step of @LogEvent on Blank#pack must have a text")
                    .hasMessageContaining("targetSystem of @LogEvent on Blank#pack must have"));
  }
}
