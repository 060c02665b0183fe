package holdfast.verification.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each bad habit is shown, and must be found with its place; its honest relative is not. */
class HabitsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@Disabled class A {}",
        "class A { @Disabled(\"flaky\") void a() {} }",
        "class A { @org.junit.jupiter.api.Disabled void a() {} }",
        "class A { @DisabledOnOs(OS.WINDOWS) void a() {} }",
        "@SuppressWarnings(\"all\") class A {}",
        "class A { @SuppressWarnings({\"unchecked\", \"all\"}) void a() {} }",
        "class A { void a() { try { b(); } catch (Exception e) {} } }",
        "class A { void a() { try { b(); } catch (Exception e) { } finally { c(); } } }",
        "class A { void a() { Thread.sleep(1); } }",
        "class A { void a() { java.lang.Thread.sleep(1); } }",
        "class A { void a() { TimeUnit.SECONDS.sleep(1); } }",
        "class A { void a() { run(() -> SECONDS.sleep(1)); } }",
        "class A { Sleeper a = Thread::sleep; }",
        "import static java.lang.Thread.sleep; class A {}",
      })
  void aBadHabitIsFound(String source) {
    assertThat(bad("test", source))
        .singleElement()
        .asString()
        .startsWith("outbox/src/test/java/A.java:1: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class A { @Enabled void a() {} }",
        "@SuppressWarnings(\"unchecked\") class A {}",
        "class A { void a() { try { b(); } catch (Exception e) { c(e); } } }",
        "class A { void a() { try { b(); } catch (Exception e) { /* gone is fine */ } } }",
        "class A { void a() { time.sleep(1); Thread.yield(); } }",
        "class A { String a = \"Thread.sleep(1) @Disabled\"; }",
      })
  void itsHonestRelativeIsNot(String source) {
    assertThat(bad("test", source)).isEmpty();
  }

  @Test
  void sleepInMainCodeIsLeftToTheRuleThatKnowsTheFloor() {
    assertThat(bad("main", "class A { void a() { Thread.sleep(1); } }")).isEmpty();
  }

  private static List<String> bad(String set, String source) {
    return Habits.bad(List.of(new SourceFile("outbox/src/%s/java/A.java".formatted(set), source)));
  }
}
