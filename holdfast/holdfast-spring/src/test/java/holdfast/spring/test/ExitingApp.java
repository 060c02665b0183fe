package holdfast.spring.test;

import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** A whole application in a JVM of its own, which ends by itself or by a signal. */
public final class ExitingApp {
  private static final Duration SOON = Duration.ofSeconds(90);

  private ExitingApp() {}

  /** Runs the application whose class and properties it is given; closes nothing itself. */
  public static void main(String[] args) throws Exception {
    new SpringApplicationBuilder(Class.forName(args[0]))
        .web(WebApplicationType.NONE)
        .properties(Arrays.copyOfRange(args, 2, args.length))
        .run();
    Acknowledged.line("ready");
    if (args[1].equals("wait")) {
      new CountDownLatch(1).await();
    }
  }

  /** What the application prints that ends when its main method does. */
  public static List<String> linesUntilMainEnds(Class<?> app, String... properties)
      throws InterruptedException {
    try (ChildJvm child = start(app, "end", properties)) {
      child.awaitExit(SOON);
      return child.lines();
    }
  }

  /** What the application prints that is ended by SIGTERM. */
  public static List<String> linesUntilTerminated(Class<?> app, String... properties)
      throws InterruptedException {
    try (ChildJvm child = start(app, "wait", properties)) {
      child.awaitLine("ready"::equals, SOON);
      child.terminate(SOON);
      return child.lines();
    }
  }

  private static ChildJvm start(Class<?> app, String until, String... properties) {
    String[] args = new String[properties.length + 2];
    args[0] = app.getName();
    args[1] = until;
    System.arraycopy(properties, 0, args, 2, properties.length);
    return ChildJvm.of(ExitingApp.class, args).start();
  }
}
