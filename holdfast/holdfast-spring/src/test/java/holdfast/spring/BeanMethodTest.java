package holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** What is said of methods that nobody could call for their effect. */
class BeanMethodTest {

  static class Odd {
    static void noBean(String what) {}

    int answers(String what, Integer number) {
      return number;
    }

    void fine(String what) {}
  }

  @Test
  void methodsThatNobodyCouldCallAreObjectedTo() throws Exception {
    Method answers = Odd.class.getDeclaredMethod("answers", String.class, Integer.class);

    assertThat(BeanMethod.objection(answers))
        .contains("must return void or a CompletionStage but returns int", "wait for the result");
    assertThat(BeanMethod.objection(Odd.class.getDeclaredMethod("noBean", String.class)))
        .contains("static", "remove the modifier");
    assertThat(BeanMethod.objection(Odd.class.getDeclaredMethod("fine", String.class))).isNull();
    assertThat(BeanMethod.parameters(answers)).isEqualTo("(String, Integer)");
  }
}
