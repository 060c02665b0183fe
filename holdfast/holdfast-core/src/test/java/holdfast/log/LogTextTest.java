package holdfast.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LogTextTest {

  static Stream<Character> unsafe() {
    Stream<Integer> all =
        Stream.of(
                Stream.iterate(0, c -> c < 0x20, c -> c + 1),
                Stream.iterate(0x7F, c -> c <= 0x9F, c -> c + 1),
                Stream.of(0x2028, 0x2029, 0x061C, 0x200E, 0x200F),
                Stream.iterate(0x202A, c -> c <= 0x202E, c -> c + 1),
                Stream.iterate(0x2066, c -> c <= 0x2069, c -> c + 1))
            .flatMap(s -> s);
    return all.map(c -> (char) c.intValue());
  }

  @ParameterizedTest
  @MethodSource("unsafe")
  void whatCouldForgeALineIsEscaped(char c) {
    String expected = c == '\n' ? "\\n" : "\\u%04X".formatted((int) c);
    assertThat(LogText.escape("a" + c + "b")).isEqualTo("a" + expected + "b");
  }

  @Test
  void aTextWithoutSuchCharactersIsReturnedAsItIs() {
    String text = "Größe 5 \\ \uD83D\uDE00 \u00A0";
    assertThat(LogText.escape(text)).isSameAs(text);
    assertThat(LogText.escape(null)).isEqualTo("null");
    assertThat(LogText.escape(17)).isEqualTo("17");
  }

  @Test
  void aFailureIsOneLineWithItsRootCause() {
    Exception root = new IllegalStateException("connection\nrefused");
    Exception failure = new IllegalArgumentException("no pool", new RuntimeException(root));
    assertThat(LogText.line(failure))
        .isEqualTo(
            "java.lang.IllegalArgumentException: no pool, caused by"
                + " java.lang.IllegalStateException: connection\\nrefused");
    assertThat(LogText.line(root))
        .isEqualTo("java.lang.IllegalStateException: connection\\nrefused");
  }

  @Test
  void aLongMessageIsCut() {
    assertThat(LogText.line(new IllegalStateException("x".repeat(10_000)))).hasSize(2_003);
  }

  @Test
  void causesThatGoRoundInACircleEnd() {
    Exception one = new IllegalStateException("one");
    Exception two = new IllegalStateException("two", one);
    one.initCause(two);
    assertThat(LogText.line(one)).startsWith("java.lang.IllegalStateException: one");
  }

  @Test
  void anExceptionThatCannotBeReadIsItsClassAndIsNotPrinted() {
    Exception speechless =
        new IllegalStateException("hidden") {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new IllegalStateException("no message");
          }

          @Override
          public synchronized Throwable getCause() {
            throw new IllegalStateException("no cause");
          }
        };
    assertThat(LogText.line(speechless)).isEqualTo(speechless.getClass().getName());
  }
}
