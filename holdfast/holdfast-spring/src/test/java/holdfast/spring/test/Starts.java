package holdfast.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;

/** Starts of whole applications that should fail, or not. */
public final class Starts {

  private Starts() {}

  /** Starts an application, with a database of its own if it has one, and closes it again. */
  public static void run(Class<?> app, String... properties) {
    new SpringApplicationBuilder(app)
        .web(WebApplicationType.NONE)
        .properties("spring.datasource.generate-unique-name=true")
        .properties(properties)
        .run()
        .close();
  }

  /** Requires that the start fails and that a reader is told why and what to do. */
  public static void assertSays(
      CapturedOutput output,
      String description,
      String action,
      Class<?> app,
      String... properties) {
    assertThatThrownBy(() -> run(app, properties)).isNotNull();

    assertThat(output.getOut())
        .contains("APPLICATION FAILED TO START")
        .containsSubsequence("Description:", description, "Action:", action);
  }
}
