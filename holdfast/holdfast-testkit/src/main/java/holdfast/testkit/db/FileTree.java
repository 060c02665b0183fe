package holdfast.testkit.db;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A directory with all that is in it. Safe for use by many threads. */
final class FileTree {

  private FileTree() {}

  /** Deletes a directory and all that is in it, if it is there. */
  static void delete(Path root) throws IOException {
    try {
      Files.walkFileTree(root, new DeletingVisitor());
    } catch (NoSuchFileException e) {
      // Somebody else deleted it, or part of it, at the same time: look again.
      if (Files.exists(root)) {
        delete(root);
      }
    }
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
