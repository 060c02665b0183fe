package holdfast.testkit.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A careful replacement of a file, in nine changes, and what each of them leaves. */
final class Script {

  static final int LENGTH = 9;

  private Script() {}

  /** The state that the script finds. */
  static void prepare(Path directory) throws IOException {
    Files.writeString(directory.resolve("state"), "old");
    Files.writeString(directory.resolve("done"), "done");
  }

  static void run(Path root) throws IOException {
    Path next = root.resolve("state.tmp");
    try (FileChannel channel = FileChannel.open(next, CREATE, WRITE)) { // 1
      channel.write(ByteBuffer.wrap("new".getBytes(UTF_8))); // 2
      channel.write(ByteBuffer.wrap("er".getBytes(UTF_8))); // 3
      channel.force(true); // 4
    }
    Files.move(next, root.resolve("state"), ATOMIC_MOVE); // 5
    forceDirectory(root); // 6
    Files.delete(root.resolve("done")); // 7
    Files.createDirectory(root.resolve("archive")); // 8
    forceDirectory(root); // 9
  }

  static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, READ)) {
      channel.force(true);
    }
  }

  /** What is in the directory when exactly the first changes have been made. */
  static Map<String, String> stateAfter(int changes) {
    Map<String, String> state = new TreeMap<>(Map.of("state", "old", "done", "done"));
    if (changes >= 1 && changes < 5) {
      state.put("state.tmp", changes == 1 ? "" : changes == 2 ? "new" : "newer");
    }
    if (changes >= 5) {
      state.put("state", "newer");
    }
    if (changes >= 7) {
      state.remove("done");
    }
    if (changes >= 8) {
      state.put("archive", "a directory");
    }
    return state;
  }

  /** Every file and directory below the given one, with its content. */
  static Map<String, String> stateOf(Path directory) throws IOException {
    Map<String, String> state = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(directory)) {
      walk.filter(path -> !path.equals(directory))
          .forEach(path -> state.put(directory.relativize(path).toString(), contentOf(path)));
    }
    return state;
  }

  private static String contentOf(Path path) {
    try {
      return Files.isDirectory(path) ? "a directory" : Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
