package tracer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static tracer.ArgumentType.DOUBLE;
import static tracer.ArgumentType.INTERNED_STRING;
import static tracer.ArgumentType.LONG;

import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What is declared of the values of an event, and how values are made. */
class ArgumentsTest {
  @Test
  void theSameDeclarationGivesTheSameObject() {
    TraceEvent one = TraceEvent.named("args.same").arg("rows", LONG).arg("table", INTERNED_STRING);
    TraceEvent two = TraceEvent.named("args.same").arg("rows", LONG).arg("table", INTERNED_STRING);

    assertThat(two).isSameAs(one);
    assertThat(one.arguments())
        .containsExactly(
            new TraceArgument("rows", LONG), new TraceArgument("table", INTERNED_STRING));
    assertThat(TraceEvent.named("args.same")).isEqualTo(one).hasSameHashCodeAs(one);
    assertThat(TraceEvent.withId(one.id()).arguments()).hasSize(2);
  }

  @Test
  void anotherDeclarationOfTheSameNameIsRefused() {
    TraceEvent event = TraceEvent.named("args.other");
    event.arg("rows", LONG);

    assertThatThrownBy(() -> event.arg("rows", DOUBLE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "argument 1 of event 'args.other' must be 'rows LONG', as it was declared first, but is"
                + " 'rows DOUBLE' here; declare it alike, or take another name for the event");
    assertThatThrownBy(() -> event.arg("count", LONG)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> event.arg(" ", LONG)).isInstanceOf(IllegalArgumentException.class);
    assertThat(event.arguments()).hasSize(1);
  }

  @Test
  void thereAreFourArgumentsAtMost() {
    TraceEvent four =
        TraceEvent.named("args.four").arg("a", LONG).arg("b", DOUBLE).arg("c", LONG).arg("d", LONG);
    assertThatThrownBy(() -> four.arg("e", LONG))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no more than 4 arguments but 'e' is one more");
  }

  @Test
  void aCounterHasOneUnit() {
    TraceEvent heap = TraceEvent.named("args.heap").unit("bytes");
    assertThat(heap.unit("bytes").unit()).isEqualTo("bytes");
    assertThatThrownBy(() -> heap.unit("events")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void valuesAreBitsNumbersOfStringsAndOneOrZero() {
    assertThat(TraceValue.of(true)).isEqualTo(1);
    assertThat(TraceValue.of(false)).isZero();
    assertThat(Double.longBitsToDouble(TraceValue.of(-0.25))).isEqualTo(-0.25);
    long orders = TraceValue.of("args.orders");
    assertThat(TraceValue.of(new String("args.orders".toCharArray()))).isEqualTo(orders);
    assertThat(TraceValue.string(orders)).isEqualTo("args.orders");
    assertThat(TraceValue.isString(orders)).isTrue();
    assertThat(TraceValue.isString(-1)).isFalse();
    assertThatThrownBy(() -> TraceValue.string(Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("record it with TraceValue.of(String)");
  }

  @Test
  void aStringThatIsTooLongIsMarked() {
    assertThat(TraceValue.string(TraceValue.of("x".repeat(513))))
        .isEqualTo("<not interned: more than 512 characters>");
  }

  /** Interns as many strings as there may be, and one more while another has the monitor. */
  static final class OneTooMany {
    public static void main(String[] args) {
      for (int i = 0; i < TraceValue.MOST_STRINGS; i++) {
        TraceValue.of("string-" + i);
      }
      synchronized (TraceValue.class) {
        new Thread(
                () ->
                    Acknowledged.line(
                        TraceValue.string(TraceValue.of("one too many"))
                            + " "
                            + TraceValue.string(TraceValue.of("string-16383"))))
            .start();
        LockSupport.park();
      }
    }
  }

  @Test
  void aStringBeyondTheLimitWaitsForNobody() throws Exception {
    try (ChildJvm child = ChildJvm.of(OneTooMany.class).start()) {
      child.awaitLines(1, Duration.ofSeconds(60));
      assertThat(child.lines()).containsExactly("<not interned: more than 16384> string-16383");
    }
  }
}
