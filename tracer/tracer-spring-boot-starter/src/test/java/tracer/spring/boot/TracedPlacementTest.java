package tracer.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.spring.boot.StartException;
import holdfast.testkit.log.CapturedLog;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tracer.sink.MemorySink;
import tracer.spring.Traced;

/** Which methods are traced, and what the application is told of the others when it starts. */
@Timeout(60)
class TracedPlacementTest {

  static class NotReached {
    @Traced
    private void pay() {}

    @Traced
    final void refund() {}

    @Traced
    static void count() {}

    void all() {
      pay();
      refund();
      count();
    }
  }

  @Traced
  static class Typed {
    public final void sealed() {}

    public void open() {}

    private void own() {}

    void all() {
      own();
    }
  }

  static class Unnameable {
    @Traced(" ")
    void pay() {}

    @Traced(LONG + LONG + LONG)
    void pack() {}
  }

  private static final String LONG =
      "a name of a span that is one hundred characters long, or a few more, so that three are more than"
          + " 256";

  @Traced
  static final class Final {
    public void pay() {}
  }

  @Test
  void aMethodThatAdviceCannotReachIsAWarningWithTheReason() {
    try (CapturedLog log = new CapturedLog("tracer")) {
      Contexts.withSink(new MemorySink())
          .withBean("orders", NotReached.class)
          .withBean("typed", Typed.class)
          .run(context -> assertThat(context).hasNotFailed());
      String start = "tracer method is not traced, advice cannot reach it method=";
      assertThat(log.messages(Level.WARNING))
          .containsExactlyInAnyOrder(
              start + "NotReached#pay bean=orders: the method is private: make it public",
              start
                  + "NotReached#refund bean=orders: the method is final: remove the modifier final",
              start
                  + "NotReached#count bean=orders: the method is static: remove the modifier static",
              start + "Typed#sealed bean=typed: the method is final: remove the modifier final");
    }
  }

  @Test
  void aNameThatNoSpanCanHaveFailsTheStartWithAllThatAre() {
    Contexts.withSink(new MemorySink())
        .withBean(Unnameable.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining(
                        "the name in @Traced for Unnameable#pay must have from 1 to 256 characters,"
                            + " not all blank, but is ' '")
                    .hasMessageContaining("the name in @Traced for Unnameable#pack must have"));
  }

  @Test
  void aFinalClassFailsTheStart() {
    Contexts.withSink(new MemorySink())
        .withBean("final", Final.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isNotNull()
                    .satisfies(
                        e ->
                            assertThat(context.getStartupFailure())
                                .hasStackTraceContaining(
                                    "bean 'final' with @Traced of class"
                                        + " tracer.spring.boot.TracedPlacementTest$Final must not be final,"
                                        + " since its proxy extends it; remove the modifier final")));
  }
}
