package holdfast.testkit.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.h2.engine.Constants;
import org.junit.jupiter.api.Test;

/** A run of the tests may be about one version of H2 alone. */
class ChosenH2Test {

  @Test
  void unlessAVersionIsNamedAllDatabasesAreAsked() {
    assertThat(DatabaseKind.values()).allMatch(kind -> EachDatabaseExtension.isAsked(kind, null));
  }

  @Test
  void onlyH2IsAskedWhereItsVersionIsNamed() {
    assertThat(DatabaseKind.values())
        .filteredOn(kind -> EachDatabaseExtension.isAsked(kind, Constants.VERSION))
        .containsExactly(DatabaseKind.H2);
  }

  @Test
  void anotherVersionOnTheClassPathIsAnError() {
    assertThatThrownBy(() -> EachDatabaseExtension.isAsked(DatabaseKind.H2, "1.2.3"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("1.2.3", Constants.VERSION);
  }
}
