package holdfast.testkit.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A directory with one durable file of ten bytes, and the loss of what was not forced in it. */
abstract class PowerLossFixture {

  @TempDir Path directory;
  FaultyFiles files;
  Path root;
  Path file;

  @BeforeEach
  void open() throws IOException {
    Files.writeString(directory.resolve("file"), "0123456789");
    files = FaultyFiles.over(directory);
    root = files.root();
    file = root.resolve("file");
  }

  static void write(FileChannel channel, String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
  }

  static void writeForced(Path path, String text, OpenOption... options) throws IOException {
    try (FileChannel channel = FileChannel.open(path, options)) {
      write(channel, text);
      channel.force(true);
    }
  }

  void assertLeaves(Map<String, String> expected) throws IOException {
    files.loseUnforced();
    assertThat(Script.stateOf(directory)).isEqualTo(expected);
  }
}
