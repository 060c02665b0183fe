package holdfast.verification.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check for Javadoc is shown gaps, which it must find, and code without any. */
class ApiDocumentationTest {

  @Test
  void aGapIsNamedWithItsPlace() {
    assertThat(
            gaps(
                """
                /** Described. */
                public class A {

                  public void go() {}
                }
                """))
        .containsExactly("outbox/outbox-core/src/main/java/outbox/A.java:4: go(…) has no Javadoc");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "public class A {}",
        "/** */ public class A {}",
        "// not Javadoc\npublic class A {}",
        "/** A. */ public class A { public void go() {} }",
        "/** A. */ public class A { protected void go() {} }",
        "/** A. */ public class A { public static final int LIMIT = 1; }",
        "/** A. */ public class A { public static class B {} }",
        "/** A. */ public class A { protected interface B {} }",
        "/** A. */ public interface A { void go(); }",
        "/** A. */ public interface A { int LIMIT = 1; }",
        "/** A. */ public interface A { record B() {} }",
        "/** A. */ public @interface A { String value(); }",
        "/** A. */ public enum A { ONE }",
        "/** A. */ public record A(int b) { public int twice() { return 2 * b; } }",
      })
  void whatUsersSeeMustBeDescribed(String source) {
    assertThat(gaps(source)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class A { public void go() {} }",
        "class A { public static class B {} }",
        "/** A. */ public class A { void go() {} private int b; }",
        "/** A. */ public class A { @Override public String toString() { return null; } }",
        "/** A. */ public class A { public A() {} }",
        "/** A. */ public class A { private static class B { public void go() {} } }",
        "/** A. */ public interface A { private void go() {} }",
        "/** A. */ public enum A { /** One. */ ONE { public void go() {} } }",
        "/** A. */ public record A(int b) { public A { b++; } }",
        "/** A. */ public class A { Runnable r = new Runnable() { public void run() {} }; }",
        "/** A. */ public class A { /** Goes. */ public void go() { class B {} } }",
      })
  void whatUsersDoNotSeeOrIsDescribedElsewhereIsFine(String source) {
    assertThat(gaps(source)).isEmpty();
  }

  @Test
  void testsNeedNoDescription() {
    assertThat(
            ApiDocumentation.gaps(
                List.of(new SourceFile("outbox/src/test/java/A.java", "public class A {}"))))
        .isEmpty();
  }

  private static List<String> gaps(String source) {
    return ApiDocumentation.gaps(
        List.of(new SourceFile("outbox/outbox-core/src/main/java/outbox/A.java", source)));
  }
}
