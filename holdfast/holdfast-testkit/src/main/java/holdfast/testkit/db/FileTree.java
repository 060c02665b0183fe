package holdfast.testkit.db;

import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A directory with all that is in it. Safe for use by many threads. */
final class FileTree {

  private static final int ATTEMPTS = 100;
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);

  private FileTree() {}

  /** Deletes a directory and all that is in it, if it is there. */
  static void delete(Path root) throws IOException, InterruptedException {
    for (int attempt = 1; Files.exists(root); attempt++) {
      try {
        Files.walkFileTree(root, new DeletingVisitor());
      } catch (NoSuchFileException | DirectoryNotEmptyException e) {
        retry(attempt, e);
      }
    }
  }

  /** A server that takes long to stop may still make and delete files of its own. */
  private static void retry(int attempt, FileSystemException failure)
      throws IOException, InterruptedException {
    if (attempt == ATTEMPTS) {
      throw failure;
    }
    TimeSource.system().newAlarm().await(BETWEEN_ATTEMPTS);
  }

  /** Deletes a directory unless something is in it. */
  static void deleteIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      return;
    }
  }

  private static final class DeletingVisitor extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
