package holdfast.testkit.db;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The process that starts a database server, and stops it when the build has ended.
 *
 * <p>Whatever ends the keeper, short of {@code kill -9}, its shutdown hook stops the server and
 * deletes its directory. The hook and the start exclude each other, so a server that is just
 * starting is not left behind.
 */
final class ServerKeeper {

  /** The exit code of a keeper that found another one at work. */
  static final int ANOTHER_KEEPS = 3;

  private static final int FAILED = 1;

  private final DatabaseKind kind;
  private final ServerDirectory directory;
  private @Nullable RunningServer server; // guarded by this
  private boolean failed; // guarded by this

  private ServerKeeper(DatabaseKind kind, ServerDirectory directory) {
    this.kind = kind;
    this.directory = directory;
  }

  /** Keeps a server: takes its kind, its directory and the process id of the build. */
  public static void main(String[] args) throws IOException {
    DatabaseKind kind = DatabaseKind.valueOf(args[0]);
    ServerDirectory directory = new ServerDirectory(Path.of(args[1]));
    Optional<ProcessHandle> build = ProcessHandle.of(Long.parseLong(args[2]));
    if (!directory.tryLock()) {
      System.exit(ANOTHER_KEEPS);
    }
    ServerKeeper keeper = new ServerKeeper(kind, directory);
    Runtime.getRuntime().addShutdownHook(new Thread(keeper::stop, "stop the server"));
    build.ifPresent(keeper::keepDuring);
    System.exit(0);
  }

  private void keepDuring(ProcessHandle build) {
    try {
      start();
    } catch (Exception e) {
      // Into the log, which the test JVM reads when this process has ended.
      e.printStackTrace();
      System.exit(FAILED);
    }
    build.onExit().join();
  }

  private synchronized void start() throws Exception {
    failed = true;
    directory.clear();
    RunningServer started =
        switch (kind) {
          case POSTGRESQL -> PostgresqlServer.start(directory);
          case MARIADB -> MariadbServer.start(directory);
          case H2 -> throw new IllegalArgumentException("H2 runs in the test JVM, not in a server");
        };
    server = started;
    directory.writePort(started.port(), ProcessHandle.current().pid());
    failed = false;
  }

  private synchronized void stop() {
    try {
      if (server != null) {
        server.stop();
      }
      if (failed) {
        directory.clear();
      } else {
        directory.delete();
      }
    } catch (Exception e) {
      throw new IllegalStateException("cannot stop the server in " + directory.path(), e);
    }
  }
}
