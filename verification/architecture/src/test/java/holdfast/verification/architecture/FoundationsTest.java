package holdfast.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each rule of the shared core is shown a wrong foundation, which it must name, and a right one.
 */
class FoundationsTest {

  private static final Sources LIBRARY =
      Sources.of("org/example/Lib.java", "package org.example; public class Lib {}");
  private static final Sources CORE =
      Sources.of("holdfast/id/Ids.java", "package holdfast.id; public class Ids {}");
  private static final Sources TESTKIT =
      Sources.of("holdfast/testkit/Kit.java", "package holdfast.testkit; public class Kit {}");

  @Test
  void aCoreThatUsesALibraryIsNamed() {
    assertThat(
            LIBRARY
                .and(
                    "holdfast/json/A.java", "package holdfast.json; class A { org.example.Lib l; }")
                .breaking(Foundations.THE_CORE_NEEDS_ONLY_JAVA))
        .singleElement()
        .asString()
        .contains("holdfast.json.A");
  }

  @Test
  void aCoreThatUsesAnotherSharedModuleIsNamed() {
    assertThat(
            Sources.of("holdfast/jdbc/B.java", "package holdfast.jdbc; public class B {}")
                .and(
                    "holdfast/json/A.java", "package holdfast.json; class A { holdfast.jdbc.B b; }")
                .breaking(Foundations.THE_CORE_NEEDS_ONLY_JAVA))
        .singleElement()
        .asString()
        .contains("holdfast.json.A");
  }

  @Test
  void aCoreThatUsesWhatOnlyThisJdkHasIsNamed() {
    assertThat(
            Sources.of(
                    "holdfast/json/A.java",
                    "package holdfast.json; class A { com.sun.net.httpserver.HttpServer s; }")
                .breaking(Foundations.THE_CORE_NEEDS_ONLY_JAVA))
        .singleElement()
        .asString()
        .contains("holdfast.json.A");
  }

  @Test
  void aCoreMayUseJavaJSpecifyAndItself() {
    assertThat(
            CORE.and(
                    "holdfast/json/A.java",
                    """
                    package holdfast.json;
                    @org.jspecify.annotations.NullMarked
                    class A {
                      java.util.List<int[]> numbers;
                      javax.crypto.Cipher cipher;
                      holdfast.id.Ids[] ids;
                    }
                    """)
                .breaking(Foundations.THE_CORE_NEEDS_ONLY_JAVA))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"org.example.Lib", "holdfast.testkit.Kit"})
  void aJdbcModuleThatUsesMoreThanTheCoreIsNamed(String used) {
    assertThat(
            LIBRARY
                .and("holdfast/testkit/Kit.java", "package holdfast.testkit; public class Kit {}")
                .and(
                    "holdfast/jdbc/A.java",
                    "package holdfast.jdbc; class A { %s x; }".formatted(used))
                .breaking(Foundations.JDBC_NEEDS_ONLY_THE_CORE))
        .singleElement()
        .asString()
        .contains("holdfast.jdbc.A");
  }

  @Test
  void aJdbcModuleMayUseJavaSqlAndTheCore() {
    assertThat(
            CORE.and(
                    "holdfast/jdbc/A.java",
                    """
                    package holdfast.jdbc;
                    class A {
                      javax.sql.DataSource source;
                      java.sql.Connection connection;
                      holdfast.id.Ids ids;
                    }
                    """)
                .breaking(Foundations.JDBC_NEEDS_ONLY_THE_CORE))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"outbox", "holdfast.id", "console.spring"})
  void productionCodeThatUsesTheTestkitIsNamed(String packageName) {
    assertThat(
            TESTKIT
                .and(
                    packageName.replace('.', '/') + "/A.java",
                    "package %s; class A { holdfast.testkit.Kit kit; }".formatted(packageName))
                .breaking(Foundations.PRODUCTION_KNOWS_NO_TESTKIT))
        .singleElement()
        .asString()
        .contains(packageName + ".A");
  }

  @Test
  void theTestkitMayUseItself() {
    assertThat(
            TESTKIT
                .and(
                    "holdfast/testkit/db/A.java",
                    "package holdfast.testkit.db; class A { holdfast.testkit.Kit kit; }")
                .breaking(Foundations.PRODUCTION_KNOWS_NO_TESTKIT))
        .isEmpty();
  }
}
