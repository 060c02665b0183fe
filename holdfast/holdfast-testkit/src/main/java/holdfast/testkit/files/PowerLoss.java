package holdfast.testkit.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The rebuilding of a real directory from what is durable in it.
 *
 * <p>Durable files are set aside first and put in their places last, since one file's durable name
 * may be another's name of now. Confined to one thread, under the lock of the {@link FaultPlan}.
 */
final class PowerLoss {

  private final DirectoryNode root;
  private final Map<FileNode, Path> saved = new HashMap<>();

  PowerLoss(DirectoryNode root) {
    this.root = root;
  }

  void strike() throws IOException {
    root.adoptAll();
    Path refuge = Files.createTempDirectory(root.real(), ".power-loss-");
    save(root, refuge);
    clear(root.real(), refuge);
    rebuild(root, root.real());
    Files.delete(refuge);
  }

  private void save(DirectoryNode directory, Path refuge) throws IOException {
    for (Node node : directory.durableEntries.values()) {
      if (node instanceof FileNode file) {
        Path path = refuge.resolve(Integer.toString(saved.size()));
        file.bring(path);
        saved.put(file, path);
      } else if (node instanceof DirectoryNode below) {
        save(below, refuge);
      }
    }
  }

  private static void clear(Path directory, Path refuge) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (entry.equals(refuge)) {
          continue;
        }
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          clear(entry, refuge);
        }
        Files.delete(entry);
      }
    }
  }

  private void rebuild(DirectoryNode directory, Path real) throws IOException {
    for (Map.Entry<String, Node> entry : directory.durableEntries.entrySet()) {
      Path path = real.resolve(entry.getKey());
      if (entry.getValue() instanceof DirectoryNode below) {
        rebuild(below, Files.createDirectory(path));
      } else {
        Path file = saved.get(entry.getValue());
        // A file that somebody removed from the real directory, past this layer, stays removed.
        if (file != null && Files.exists(file)) {
          Files.move(file, path);
        }
      }
    }
  }
}
