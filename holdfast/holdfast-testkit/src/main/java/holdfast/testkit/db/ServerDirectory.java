package holdfast.testkit.db;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The directory where one server of one build lives, and its keeper leaves word. Safe for use by
 * many threads and processes.
 *
 * @param path the directory
 */
record ServerDirectory(Path path) {

  /** The file that is always empty. */
  static final File NOTHING = new File("/dev/null");

  /** The directory of a kind of server in a build; two builds at once have different ones. */
  static ServerDirectory of(DatabaseKind kind, ProcessHandle build) {
    // The user is in the name because directories left by a crash belong to who made them.
    String name = "holdfast-%s-%d".formatted(System.getProperty("user.name"), build.pid());
    String server = kind.name().toLowerCase(Locale.ROOT);
    return new ServerDirectory(Path.of(System.getProperty("java.io.tmpdir"), name, server));
  }

  void create() throws IOException {
    Files.createDirectories(path);
  }

  /** Where the server's programs and data are. */
  Path server() {
    return path.resolve("server");
  }

  /** What the keeper and its server print. */
  Path log() {
    return path.resolve("keeper.log");
  }

  String readLog() throws IOException {
    return Files.exists(log()) ? Files.readString(log()) : "(no log)";
  }

  private Path portFile() {
    return path.resolve("port");
  }

  /** Writes the server's port for everybody to read, all at once. */
  void writePort(int port, long keeper) throws IOException {
    Path complete = Files.writeString(path.resolve("port.new"), port + " " + keeper);
    Files.move(complete, portFile(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The server's port, if there is one and its keeper lives: a dead one leaves a file behind. */
  OptionalInt readPort() throws IOException {
    try {
      String[] portAndKeeper = Files.readString(portFile()).split(" ", 2);
      boolean kept =
          ProcessHandle.of(Long.parseLong(portAndKeeper[1]))
              .map(ProcessHandle::isAlive)
              .orElse(false);
      return kept ? OptionalInt.of(Integer.parseInt(portAndKeeper[0])) : OptionalInt.empty();
    } catch (NoSuchFileException e) {
      return OptionalInt.empty();
    }
  }

  /** Takes the lock that one keeper holds as long as it lives, and says whether it was free. */
  boolean tryLock() throws IOException {
    FileChannel channel =
        FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    // Not closed: the system releases the lock when the process ends, however it ends.
    return channel.tryLock() != null;
  }

  /** Deletes what the server and an earlier keeper left; the log and the lock stay. */
  void clear() throws IOException, InterruptedException {
    Files.deleteIfExists(portFile());
    FileTree.delete(server());
  }

  /** Deletes the directory, and that of the build when this was the last in it. */
  void delete() throws IOException, InterruptedException {
    FileTree.delete(path);
    FileTree.deleteIfEmpty(path.resolveSibling(""));
  }
}
