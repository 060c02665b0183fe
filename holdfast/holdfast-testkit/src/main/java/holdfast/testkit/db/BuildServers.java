package holdfast.testkit.db;

import holdfast.testkit.Unavailable;
import holdfast.testkit.process.BuildProcess;
import holdfast.testkit.process.JavaCommand;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The database servers that all test JVMs of this build share. Safe for use by many threads.
 *
 * <p>A server is the child of a {@link ServerKeeper}, a process of its own, so that it outlives the
 * test JVM that needed it first and ends with the build. The two agree by files in a {@link
 * ServerDirectory}: the keeper holds its lock and writes its port.
 */
final class BuildServers {

  private static final Duration START_PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private static final Map<DatabaseKind, Integer> PORTS =
      new EnumMap<>(DatabaseKind.class); // guarded by the class

  private BuildServers() {}

  /** The port of this build's server of a kind, which is started unless it runs. */
  static synchronized int port(DatabaseKind kind) {
    requireThisMachineRuns(kind);
    return PORTS.computeIfAbsent(kind, BuildServers::findOrStart);
  }

  private static void requireThisMachineRuns(DatabaseKind kind) {
    String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    if (!machine.equals("Linux amd64")) {
      throw Unavailable.because(
          "%s runs in tests on Linux amd64 only, and this is %s"
              .formatted(kind.productName(), machine));
    }
  }

  private static int findOrStart(DatabaseKind kind) {
    ProcessHandle build = BuildProcess.current();
    ServerDirectory directory = ServerDirectory.of(kind, build);
    try {
      OptionalInt running = directory.readPort();
      if (running.isPresent()) {
        return running.getAsInt();
      }
      return awaitPort(kind, directory, startKeeper(kind, directory, build));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use the directory " + directory.path(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + kind.productName() + " starts", e);
    }
  }

  private static Process startKeeper(
      DatabaseKind kind, ServerDirectory directory, ProcessHandle build) throws IOException {
    directory.create();
    List<String> command = new ArrayList<>();
    // In a session of its own, the keeper outlives a signal to all processes of the build, and can
    // clean up after them.
    command.add("setsid");
    command.addAll(
        JavaCommand.of(
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            ServerKeeper.class,
            List.of(kind.name(), directory.path().toString(), Long.toString(build.pid()))));
    return new ProcessBuilder(command)
        .redirectInput(ProcessBuilder.Redirect.from(ServerDirectory.NOTHING))
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
        .redirectErrorStream(true)
        .start();
  }

  private static int awaitPort(DatabaseKind kind, ServerDirectory directory, Process keeper)
      throws IOException, InterruptedException {
    TimeSource time = TimeSource.system();
    Alarm alarm = time.newAlarm();
    long start = time.nanoTime();
    while (time.nanoTime() - start < START_PATIENCE.toNanos()) {
      OptionalInt port = directory.readPort();
      if (port.isPresent()) {
        return port.getAsInt();
      }
      if (!keeper.isAlive() && keeper.exitValue() != ServerKeeper.ANOTHER_KEEPS) {
        throw failure(kind, directory, "ended with exit code " + keeper.exitValue());
      }
      alarm.await(LOOK_AGAIN);
    }
    throw failure(kind, directory, "gave no port within " + START_PATIENCE);
  }

  private static IllegalStateException failure(
      DatabaseKind kind, ServerDirectory directory, String found) throws IOException {
    return new IllegalStateException(
        "the keeper of the %s server must start it but %s; its log:%n%s"
            .formatted(kind.productName(), found, directory.readLog()));
  }
}
