package holdfast.verification.sources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The working tree that a build runs in. */
public record Repository(Path root) {

  /** The folders whose modules are published for use. */
  public static final Set<String> LIBRARY_FOLDERS =
      Set.of(
          "holdfast",
          "outbox",
          "eventbus",
          "eventlog",
          "tracer",
          "failover",
          "relay",
          "console",
          "sinks");

  /** The repository around the module under test: the nearest folder above that has .mvn. */
  public static Repository here() {
    Path start = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve(".mvn"))) {
        return new Repository(folder);
      }
    }
    throw new IllegalStateException(
        "a folder above the module must have .mvn but none has; module: " + start);
  }

  /** Every file below a folder src, except what builds left behind. */
  public List<SourceFile> sourceFiles() {
    List<SourceFile> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              String name = folder.getFileName().toString();
              boolean skipped =
                  !folder.equals(root) && (name.equals("target") || name.startsWith("."));
              return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Path path = root.relativize(file);
              if (path.toString().contains("/src/")) {
                files.add(SourceFile.read(root, path));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }
}
