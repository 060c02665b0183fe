package holdfast.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A main class running in a JVM of its own, to be killed. Safe for use by many threads.
 *
 * <p>It runs with the class path and the {@code java} of this JVM. What it prints on standard
 * output, best with {@link Acknowledged}, is read line by line; a line counts once it is complete.
 * A child still running when this JVM ends is killed.
 *
 * <pre>{@code
 * try (ChildJvm child = ChildJvm.of(Writer.class, database.url()).start()) {
 *   child.awaitLines(100, Duration.ofSeconds(30));
 *   child.kill();
 *   for (String line : child.lines()) { ... }
 * }
 * }</pre>
 */
public final class ChildJvm implements AutoCloseable {

  /** How long the output may take to end once the process has. */
  private static final Duration DRAIN_PATIENCE = Duration.ofSeconds(10);

  private final String name;
  private final Process process;
  private final OutputLines output;
  private final OutputLines errors;

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
    this.output = new OutputLines(process.getInputStream(), "output of " + name);
    this.errors = new OutputLines(process.getErrorStream(), "errors of " + name);
  }

  /**
   * A child JVM to be started.
   *
   * @param main the class whose {@code main} method it runs; need not be public
   * @param args what the main method is given
   */
  public static Builder of(Class<?> main, String... args) {
    return new Builder(main, List.of(args));
  }

  /** The child's process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether the child still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The complete lines the child has printed on standard output so far. */
  public List<String> lines() {
    return output.all();
  }

  /** What the child has printed on standard error so far. */
  public String errors() {
    return String.join("\n", errors.all());
  }

  /**
   * Waits until the child has printed a line that matches, now or before.
   *
   * @return the first such line
   * @throws AssertionError if the child ends or the time passes before
   * @throws InterruptedException if the calling thread is interrupted
   */
  public String awaitLine(Predicate<String> matches, Duration timeout) throws InterruptedException {
    return await(
        lines -> lines.stream().filter(matches).findFirst().orElse(null),
        "print the awaited line",
        timeout);
  }

  /**
   * Waits until the child has printed at least so many lines.
   *
   * @return all its lines so far
   * @throws AssertionError if the child ends or the time passes before
   * @throws InterruptedException if the calling thread is interrupted
   */
  public List<String> awaitLines(int count, Duration timeout) throws InterruptedException {
    return await(
        lines -> lines.size() >= count ? List.copyOf(lines) : null,
        "print " + count + " lines",
        timeout);
  }

  private <T> T await(
      Function<List<String>, @Nullable T> find, String expectation, Duration timeout)
      throws InterruptedException {
    @Nullable T found = output.await(find, timeout);
    if (found == null) {
      throw failure(expectation, timeout);
    }
    return found;
  }

  /**
   * Waits until the child ends by itself and its output has been read.
   *
   * @return its exit code
   * @throws AssertionError if it still runs when the time has passed
   * @throws InterruptedException if the calling thread is interrupted
   */
  public int awaitExit(Duration timeout) throws InterruptedException {
    if (!process.waitFor(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)) {
      throw failure("end", timeout);
    }
    drain();
    return process.exitValue();
  }

  /**
   * Kills the child as {@code kill -9} does and reads its output to the end, so that {@link
   * #lines()} then holds every line it acknowledged. Does nothing to a child that has ended.
   *
   * @return its exit code: 137 if the kill ended it
   * @throws InterruptedException if the calling thread is interrupted
   */
  public int kill() throws InterruptedException {
    signalKill();
    int exitCode = process.waitFor();
    drain();
    return exitCode;
  }

  /**
   * Asks the child to end as {@code kill -TERM} does, so that its shutdown hooks run, and reads its
   * output to the end.
   *
   * @return its exit code: 143 if the signal ended it
   * @throws AssertionError if it still runs when the time has passed
   * @throws InterruptedException if the calling thread is interrupted
   */
  public int terminate(Duration timeout) throws InterruptedException {
    process.toHandle().destroy();
    return awaitExit(timeout);
  }

  private void signalKill() {
    // By its handle: Process.destroyForcibly also closes the pipes, with the lines still in them.
    process.toHandle().destroyForcibly();
  }

  private void drain() throws InterruptedException {
    if (!output.awaitEnd(DRAIN_PATIENCE) || !errors.awaitEnd(DRAIN_PATIENCE)) {
      throw new IllegalStateException(
          name
              + " has ended, so its output must end, too, but a process it started holds it open;"
              + " let it redirect the output of that process");
    }
  }

  /** Kills the child if it still runs, and waits for its end. */
  @Override
  public void close() {
    signalKill();
    process.onExit().join();
  }

  private AssertionError failure(String expectation, Duration timeout) throws InterruptedException {
    // A child that dies closes its output before the system has its exit code.
    boolean ended = process.waitFor(1, TimeUnit.SECONDS);
    if (ended) {
      drain();
    }
    return new AssertionError(
        """
        %s must %s within %s but %s
        --- its standard output:
        %s
        --- its standard error:
        %s"""
            .formatted(
                name,
                expectation,
                timeout,
                ended ? "ended with exit code " + process.exitValue() : "still runs and did not",
                String.join("\n", lines()),
                errors()));
  }

  @Override
  public String toString() {
    return name + " (process " + pid() + ")";
  }

  /** What a child JVM is started with. Not safe for use by many threads. */
  public static final class Builder {
    private final Class<?> main;
    private final List<String> args;
    private final List<String> jvmOptions = new ArrayList<>();
    private final Map<String, @Nullable String> environment = new HashMap<>();

    private Builder(Class<?> main, List<String> args) {
      this.main = main;
      this.args = args;
    }

    /** Adds options of the JVM, such as {@code -Xmx64m} or {@code -Dname=value}. */
    public Builder jvmOptions(String... options) {
      jvmOptions.addAll(List.of(options));
      return this;
    }

    /**
     * Sets an environment variable; the others are those of this JVM.
     *
     * @param value the value, or null for a child without that variable
     */
    public Builder environment(String variable, @Nullable String value) {
      environment.put(variable, value);
      return this;
    }

    /**
     * Starts the child.
     *
     * @throws UncheckedIOException if the system cannot start a process
     */
    public ChildJvm start() {
      ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(jvmOptions, main, args));
      environment.forEach(
          (variable, value) -> builder.environment().compute(variable, (v, old) -> value));
      try {
        return new ChildJvm(main.getSimpleName(), LiveChildren.start(builder));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot start a JVM for " + main.getName(), e);
      }
    }
  }
}
