package eventlog.spill;

import holdfast.files.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * What a look at a file of lines shows. Immutable.
 *
 * @param size the bytes of the file
 * @param lines how many line feeds there are from the place where the look began
 * @param lastLineAt where the last line that has a line feed begins
 * @param tailAt where the bytes after the last line feed begin; the size if there are none
 */
public record LineScan(long size, long lines, long lastLineAt, long tailAt) {
  private static final int CHUNK = 256 * 1024;

  /** A file that is not there. */
  static final LineScan NOTHING = new LineScan(0, 0, 0, 0);

  /** The lines, and one more if the file does not end with a line feed. */
  public long pieces() {
    return lines + (tailAt < size ? 1 : 0);
  }

  /**
   * Looks at a file, reading it piece by piece.
   *
   * @param file the file; it may be missing
   * @param from where to begin, at the beginning of a line
   */
  public static LineScan of(Path file, long from) throws IOException {
    try (FileChannel channel = PrivateFiles.open(file, StandardOpenOption.READ)) {
      return of(channel, from);
    } catch (NoSuchFileException e) {
      return NOTHING;
    }
  }

  private static LineScan of(FileChannel channel, long from) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
    byte[] bytes = chunk.array();
    long at = from;
    long lines = 0;
    long lastLineAt = from;
    long tailAt = from;
    for (int read = channel.read(chunk, at); read > 0; read = channel.read(chunk, at)) {
      for (int i = 0; i < read; i++) {
        if (bytes[i] == '\n') {
          lines++;
          lastLineAt = tailAt;
          tailAt = at + i + 1;
        }
      }
      at += read;
      chunk.clear();
    }
    return new LineScan(at, lines, lastLineAt, tailAt);
  }

  /** Reads a part of a file, at most so much of it as there is. */
  static byte[] read(Path file, long from, int count) throws IOException {
    try (FileChannel channel = PrivateFiles.open(file, StandardOpenOption.READ)) {
      return read(channel, from, count);
    }
  }

  /** Reads a part of a file, at most so much of it as there is. */
  public static byte[] read(FileChannel channel, long from, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) > 0) {
      // Once more: one call may read less than there is.
    }
    return bytes.position() == count
        ? bytes.array()
        : Arrays.copyOf(bytes.array(), bytes.position());
  }
}
