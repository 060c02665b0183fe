package holdfast.verification.firsthour.mistakes;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.util.List;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;

/** Makes mistakes and returns what a user reads: exceptions, lines of the log, failed starts. */
final class Messages {

  private Messages() {}

  /** What may throw. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  /** What is done with a running application. */
  @FunctionalInterface
  interface Use {
    String of(ConfigurableApplicationContext context) throws Exception;
  }

  /** Returns the message of what the step throws. */
  static String thrown(Step step) {
    try {
      step.run();
    } catch (Exception e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("nothing was thrown");
  }

  /** Returns the first warning that a library logs during the step or soon after it. */
  static String warned(String logger, Step step) throws Exception {
    try (CapturedLog log = new CapturedLog(logger)) {
      step.run();
      Eventually.await("a warning of " + logger, () -> !warnings(log).isEmpty());
      return warnings(log).get(0);
    }
  }

  /** Warnings and errors with what was thrown, as a log shows them. */
  private static List<String> warnings(CapturedLog log) {
    List<String> lines = of(log::messages);
    List<String> thrown =
        Messages.<Throwable>of(log::thrown).stream().map(String::valueOf).toList();
    return lines.stream()
        .map(
            line ->
                Stream.concat(Stream.of(line), thrown.stream().filter(it -> !line.contains(it)))
                    .collect(Collectors.joining("\n")))
        .toList();
  }

  private static <T> List<T> of(Function<Level, List<T>> logged) {
    return Stream.of(Level.SEVERE, Level.WARNING).map(logged).flatMap(List::stream).toList();
  }

  /** Returns what Spring Boot shows when the application does not start. */
  static String failedStart(Class<?> app, String... properties) {
    ReportedFailures.take();
    try {
      application(app, properties).run().close();
    } catch (RuntimeException e) {
      FailureAnalysis shown = ReportedFailures.take();
      if (shown == null) {
        throw new AssertionError("Spring Boot shows a stack trace", e);
      }
      return "Description:\n" + shown.getDescription() + "\nAction:\n" + shown.getAction();
    }
    throw new AssertionError("the application has started");
  }

  /** Returns the first warning of a logger while the application starts. */
  static String warnedAtStart(String logger, Class<?> app, String... properties) {
    CapturedLog[] log = new CapturedLog[1];
    // An initializer runs after Spring Boot has set up the log and before the first bean.
    try (ConfigurableApplicationContext context =
        application(app, properties)
            .initializers(starting -> log[0] = new CapturedLog(logger))
            .run()) {
      return warnings(log[0]).stream()
          .findFirst()
          .orElseThrow(() -> new AssertionError("nothing was logged"));
    } finally {
      log[0].close();
    }
  }

  /** Starts the application, uses it and closes it. */
  static String running(Class<?> app, Use use, String... properties) throws Exception {
    try (ConfigurableApplicationContext context = application(app, properties).run()) {
      return use.of(context);
    }
  }

  private static SpringApplicationBuilder application(Class<?> app, String... properties) {
    return new SpringApplicationBuilder(app)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .registerShutdownHook(false)
        .properties("logging.level.root=off", "spring.datasource.generate-unique-name=true")
        .properties(properties);
  }
}
