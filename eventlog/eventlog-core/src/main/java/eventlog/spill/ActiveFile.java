package eventlog.spill;

import holdfast.files.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The file that is appended to, with one open channel. Confined to its directory's lock.
 *
 * <p>Its length is what was written completely. After a failed write the file may be longer; it is
 * cut back before anything else is appended, so a line is never glued to a torn one.
 */
final class ActiveFile {
  private final SpillFiles files;
  private @Nullable FileChannel channel;
  private long length;
  private long lines;
  private boolean unforced;
  private boolean unforcedName;
  private boolean torn;

  ActiveFile(SpillFiles files) {
    this.files = files;
  }

  /** Takes over what recovery has found. */
  void recovered(long foundLength, long foundLines) {
    length = foundLength;
    lines = foundLines;
    // It may have been written by a process that died before it could force it.
    unforced = foundLength > 0;
    unforcedName = foundLength > 0;
  }

  long length() {
    return length;
  }

  long lines() {
    return lines;
  }

  boolean isUnforced() {
    return unforced;
  }

  /** Whether there should be a file but is none: somebody took it away. */
  boolean isGone() {
    return length > 0 && !Files.exists(files.active());
  }

  void append(ByteBuffer bytes, long count) throws IOException {
    FileChannel open = open();
    long size = bytes.remaining();
    try {
      SpillFiles.writeFully(open, bytes, length);
    } catch (IOException e) {
      torn = true;
      closeAfter(e);
      throw e;
    }
    length += size;
    lines += count;
    unforced = true;
  }

  private FileChannel open() throws IOException {
    FileChannel open = channel;
    if (open != null && open.isOpen()) {
      return open;
    }
    boolean isNew = !Files.exists(files.active());
    FileChannel opened =
        PrivateFiles.open(files.active(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel = opened;
    unforcedName |= isNew;
    try {
      if (opened.size() > length) {
        opened.truncate(length);
      }
      torn = false;
    } catch (IOException e) {
      closeAfter(e);
      throw e;
    }
    return opened;
  }

  /** Makes what was appended survive a loss of power; does nothing if it would already. */
  void force() throws IOException {
    if (!unforced) {
      return;
    }
    FileChannel open = open();
    try {
      open.force(false);
    } catch (IOException e) {
      closeAfter(e);
      throw e;
    }
    if (unforcedName) {
      files.forceDirectory();
      unforcedName = false;
    }
    unforced = false;
  }

  /** Cuts off what a failed write has left, so that nobody finds later what was counted as lost. */
  void tidy() throws IOException {
    if (torn) {
      open();
    }
  }

  /** Closes the channel and forgets the file, which is another one's from now on. */
  void release() throws IOException {
    length = 0;
    lines = 0;
    unforced = false;
    unforcedName = false;
    close();
  }

  void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  /** The next attempt opens the file anew, and cuts off what this one left. */
  private void closeAfter(IOException trouble) {
    try {
      close();
    } catch (IOException e) {
      trouble.addSuppressed(e);
    }
  }
}
