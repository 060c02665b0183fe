package holdfast.testkit.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * One copy within a faulty file system, made of a creation and of writes, each of which can fail.
 * Confined to one thread.
 */
final class FileCopy {

  private final Changes changes;
  private final Set<CopyOption> options;

  FileCopy(Changes changes, Set<CopyOption> options) {
    if (options.contains(StandardCopyOption.ATOMIC_MOVE)) {
      throw new UnsupportedOperationException(
          "a copy cannot be an atomic move; leave ATOMIC_MOVE away or call Files.move");
    }
    this.changes = changes;
    this.options = options;
  }

  void copy(FaultyPath source, FaultyPath target) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(source, BasicFileAttributes.class);
    if (Files.exists(target)) {
      if (Files.isSameFile(source, target)) {
        return;
      }
      changes.makeRoom(target, options);
    }
    if (Files.exists(target)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    if (attributes.isDirectory()) {
      changes.createDirectory(target);
    } else {
      copyContent(source, target);
    }
    if (options.contains(StandardCopyOption.COPY_ATTRIBUTES)) {
      Files.getFileAttributeView(target, BasicFileAttributeView.class)
          .setTimes(
              attributes.lastModifiedTime(),
              attributes.lastAccessTime(),
              attributes.creationTime());
    }
  }

  private void copyContent(FaultyPath source, FaultyPath target) throws IOException {
    try (FileChannel in = changes.open(source, Set.of(StandardOpenOption.READ));
        FileChannel out =
            changes.open(target, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
      try {
        transfer(in, out);
      } catch (IOException e) {
        discard(target, e);
        throw e;
      }
    }
  }

  private static void transfer(FileChannel in, FileChannel out) throws IOException {
    long done = 0;
    long step;
    do {
      step = out.transferFrom(in, done, Long.MAX_VALUE);
      done += step;
    } while (step > 0);
  }

  /** Half a copy is taken away again, as the real file system does it. */
  private void discard(Path target, IOException trouble) {
    try {
      Files.delete(target);
    } catch (IOException e) {
      trouble.addSuppressed(e);
    }
  }
}
