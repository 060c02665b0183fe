package holdfast.testkit.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A directory's entries of now, as far as they matter, and its durable ones.
 *
 * <p>What nobody has asked for is not known here; it is adopted from the real directory, as durable
 * as it stands, before it changes or is lost. Guarded by the lock of the {@link FaultPlan}.
 */
final class DirectoryNode extends Node {

  final Map<String, Node> entries = new TreeMap<>();
  final Map<String, Node> durableEntries = new TreeMap<>();

  private final @Nullable Path root;

  DirectoryNode() {
    this(null);
  }

  /** The directory that is nobody's entry; null for every other. */
  DirectoryNode(@Nullable Path root) {
    this.root = root;
  }

  @Override
  Path real() {
    return root == null ? super.real() : root;
  }

  Node entry(String name) throws IOException {
    Node known = entries.get(name);
    return known == null ? adopt(name) : known;
  }

  private Node adopt(String name) throws IOException {
    Path real = real().resolve(name);
    Node found =
        Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)
            ? new DirectoryNode()
            : new FileNode(Files.size(real));
    found.place(new Place(this, name));
    found.settle();
    return found;
  }

  /** Adopts everything in and below this directory that is not known yet. */
  void adoptAll() throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(real())) {
      for (Path path : found) {
        if (entry(String.valueOf(path.getFileName())) instanceof DirectoryNode directory) {
          directory.adoptAll();
        }
      }
    }
  }

  /**
   * Settles what has come here, and what has gone: a move is one change, so forcing the directory
   * it left makes the new place durable too.
   */
  @Override
  void forced() {
    List<Node> concerned = new ArrayList<>(durableEntries.values());
    concerned.addAll(entries.values());
    concerned.forEach(Node::settle);
  }

  /** Settles every entry here and below. */
  void allForced() {
    forced();
    for (Node entry : entries.values()) {
      if (entry instanceof DirectoryNode directory) {
        directory.allForced();
      }
    }
  }
}
