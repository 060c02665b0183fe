package holdfast.testkit.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A file's way back to the content it had when it was last forced.
 *
 * <p>It knows the length at that moment and the bytes below it that have been overwritten or cut
 * off since, newest first; appended bytes need no note. Guarded by the lock of the {@link
 * FaultPlan}.
 */
final class FileNode extends Node {

  private record Overwritten(long position, ByteBuffer bytes) {}

  private final Deque<Overwritten> overwritten = new ArrayDeque<>();
  private long forcedLength;
  private boolean changed;

  /** The forced content of a file that has been deleted; null while it has a place. */
  private byte @Nullable [] kept;

  FileNode(long forcedLength) {
    this.forcedLength = forcedLength;
  }

  /** Notes what a write is about to cover. */
  void overwriting(long position, long length) throws IOException {
    changed = true;
    note(position, Math.min(position + length, forcedLength));
  }

  /** Notes what a cut to the given size is about to remove. */
  void truncating(long size) throws IOException {
    changed = true;
    note(size, forcedLength);
  }

  private void note(long from, long to) throws IOException {
    if (from >= to || !isPlaced()) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(to - from));
    try (FileChannel channel = FileChannel.open(real(), StandardOpenOption.READ)) {
      int read;
      do {
        read = channel.read(bytes, from + bytes.position());
      } while (read > 0);
    }
    overwritten.push(new Overwritten(from, bytes.flip()));
  }

  @Override
  void forced() throws IOException {
    if (isPlaced()) {
      forcedLength = Files.size(real());
      overwritten.clear();
      changed = false;
    }
  }

  /** The content at the last force. */
  byte[] forcedContent() throws IOException {
    byte[] content = Arrays.copyOf(Files.readAllBytes(real()), Math.toIntExact(forcedLength));
    for (Overwritten old : overwritten) {
      ByteBuffer bytes = old.bytes().duplicate();
      bytes.get(content, Math.toIntExact(old.position()), bytes.remaining());
    }
    return content;
  }

  /** Takes the place away; what was forced can still be brought back. */
  void displace(byte[] forcedContent) {
    displace();
    kept = forcedContent;
  }

  /** Brings the forced content to the given real path, taking the real file there if it exists. */
  void bring(Path target) throws IOException {
    if (kept != null) {
      Files.write(target, kept);
    } else if (Files.exists(real())) {
      rewind();
      Files.move(real(), target);
    }
  }

  private void rewind() throws IOException {
    if (!overwritten.isEmpty()) {
      Files.write(real(), forcedContent());
    } else if (changed) {
      try (FileChannel channel = FileChannel.open(real(), StandardOpenOption.WRITE)) {
        channel.truncate(forcedLength);
      }
    }
  }
}
