package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tracer.CriticalLane;
import tracer.DetailLane;
import tracer.Exclusions;
import tracer.IndexLane;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.TraceValue;
import tracer.Tracer;
import tracer.TracerBuilder;

/** The page of the tracer names methods that there are. */
class TracerPageTest {
  private static final Pattern CODE = Pattern.compile("`[^`\n]+`");
  private static final Pattern CALL = Pattern.compile("(\\w+)\\(");

  private static final List<Class<?>> TYPES =
      List.of(
          Tracer.class,
          TracerBuilder.class,
          IndexLane.class,
          DetailLane.class,
          CriticalLane.class,
          TraceSpan.class,
          TraceEvent.class,
          TraceValue.class,
          Exclusions.class,
          PerfettoFiles.class,
          TraceReader.class,
          Duration.class,
          Thread.class);

  /** Calls of Micrometer's methods, and of modules that this one does not depend on. */
  private static final Set<String> ELSEWHERE =
      Set.of("bindTo", "observationConfig", "observationHandler", "ObservationSpans");

  @Test
  void eachCallIsOneOfThePublicMethods() throws IOException {
    Set<String> known =
        TYPES.stream()
            .flatMap(type -> Stream.of(type.getMethods()))
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    known.addAll(ELSEWHERE);

    assertThat(calls(page())).as("calls on docs/tracer.md").isNotEmpty().isSubsetOf(known);
  }

  @Test
  void theTypesOfValuesAreIntroduced() throws IOException {
    String section = page().split("## Spans and values")[1].split("\n## ")[0];

    assertThat(section)
        .contains("import static tracer.ArgumentType.INTERNED_STRING;")
        .contains("import static tracer.ArgumentType.LONG;");
  }

  /** The calls in the text; examples are compiled elsewhere. */
  private static Set<String> calls(String page) {
    String text = page.replaceAll("(?s)```.*?```", "");
    return CODE.matcher(text)
        .results()
        .flatMap(code -> CALL.matcher(code.group()).results())
        .map(call -> call.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String page() throws IOException {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("docs/tracer.md"))) {
      folder = folder.getParent();
    }
    return Files.readString(folder.resolve("docs/tracer.md"));
  }
}
