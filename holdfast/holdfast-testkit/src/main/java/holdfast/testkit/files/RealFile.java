package holdfast.testkit.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A real channel together with the node that is told of its changes. The changes are guarded by the
 * lock of the {@link FaultPlan}.
 */
final class RealFile {

  private final FileChannel channel;
  private final Node node;
  private final boolean appending;
  private final boolean forcing;

  RealFile(FileChannel channel, Node node, Set<? extends OpenOption> options) {
    this.channel = channel;
    this.node = node;
    appending = options.contains(StandardOpenOption.APPEND);
    forcing =
        options.contains(StandardOpenOption.SYNC) || options.contains(StandardOpenOption.DSYNC);
  }

  FileChannel channel() {
    return channel;
  }

  boolean isDirectory() {
    return node instanceof DirectoryNode;
  }

  /** Writes the first bytes of the source where the channel stands. */
  int write(ByteBuffer source, int bytes) throws IOException {
    note(appending ? channel.size() : channel.position(), bytes);
    return noteForced(channel.write(first(source, bytes)), source);
  }

  /** Writes the first bytes of the source at the given position. */
  int write(ByteBuffer source, int bytes, long position) throws IOException {
    note(position, bytes);
    return noteForced(channel.write(first(source, bytes), position), source);
  }

  FileChannel truncate(long size) throws IOException {
    if (node instanceof FileNode file) {
      file.truncating(size);
    }
    return channel.truncate(size);
  }

  Node force(boolean metaData) throws IOException {
    channel.force(metaData);
    node.forced();
    return node;
  }

  private static ByteBuffer first(ByteBuffer source, int bytes) {
    return source.slice(source.position(), bytes);
  }

  private void note(long position, int bytes) throws IOException {
    if (node instanceof FileNode file) {
      file.overwriting(position, bytes);
    }
  }

  private int noteForced(int written, ByteBuffer source) throws IOException {
    source.position(source.position() + written);
    if (forcing) {
      node.forced();
    }
    return written;
  }
}
