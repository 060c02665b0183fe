package holdfast.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule about names is shown a wrong name, which it must repeat, and a right one. */
class ClassNamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"StoreImpl", "SqlUtils", "SqlUtil", "RetryHelper", "ClientV2", "RingElf"})
  void aNameThatSaysNothingIsRepeated(String name) {
    assertThat(nested(name).breaking(ClassNames.NAMES_SAY_SOMETHING))
        .singleElement()
        .asString()
        .contains("outbox.util.Outer$" + name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"JdbcStore", "Self", "ImplicitKey", "HelperThread", "UtilTest"})
  void aNameThatSaysSomethingIsFine(String name) {
    assertThat(nested(name).breaking(ClassNames.NAMES_SAY_SOMETHING)).isEmpty();
  }

  @Test
  void aPublicAbstractNameIsRepeated() {
    assertThat(
            Sources.of(
                    "outbox/AbstractStore.java",
                    "package outbox; public abstract class AbstractStore {}")
                .breaking(ClassNames.ABSTRACT_STAYS_INSIDE))
        .singleElement()
        .asString()
        .contains("outbox.AbstractStore");
  }

  @Test
  void anAbstractNameThatNobodyOutsideSeesIsFine() {
    assertThat(
            Sources.of("outbox/AbstractStore.java", "package outbox; class AbstractStore {}")
                .and("outbox/Store.java", "package outbox; public abstract class Store {}")
                .breaking(ClassNames.ABSTRACT_STAYS_INSIDE))
        .isEmpty();
  }

  private static Sources nested(String name) {
    return Sources.of(
        "outbox/util/Outer.java",
        "package outbox.util; class Outer { class %s {} }".formatted(name));
  }
}
