package holdfast.verification.firsthour.mistakes;

import holdfast.testkit.files.FaultyFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Directories as a new user has them: empty, read-only, or without permission. */
final class Directories {

  private Directories() {}

  /** What is done with a directory. */
  @FunctionalInterface
  interface Use {
    String of(Path directory) throws Exception;
  }

  /** Uses an empty directory. */
  static String temporary(Use use) throws Exception {
    Path directory = Files.createTempDirectory("mistakes");
    try {
      return use.of(directory);
    } finally {
      try (Stream<Path> tree = Files.walk(directory)) {
        List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
        for (Path path : deepestFirst) {
          Files.delete(path);
        }
      }
    }
  }

  /** Uses a directory of a file system that is mounted read-only. */
  static String readOnly(Use use) throws Exception {
    return refusing(path -> new FileSystemException(path, null, "Read-only file system"), use);
  }

  /** Uses a directory on which the user of this process has no permission. */
  static String withoutPermission(Use use) throws Exception {
    return refusing(AccessDeniedException::new, use);
  }

  /** Also for root, whom no permission stops. */
  private static String refusing(Function<String, IOException> refusal, Use use) throws Exception {
    return temporary(
        place -> {
          FaultyFiles files = FaultyFiles.over(place);
          files.failWhen(op -> true, () -> refusal.apply(files.root().toString()));
          return use.of(files.root());
        });
  }
}
