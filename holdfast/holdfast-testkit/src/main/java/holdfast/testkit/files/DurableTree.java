package holdfast.testkit.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files and directories under the root, with what a power loss would leave of each.
 *
 * <p>It is told of every change, around the change itself. Guarded by the lock of the {@link
 * FaultPlan}.
 */
final class DurableTree {

  /** A change to the real files. */
  interface RealChange {
    void run() throws IOException;
  }

  private DirectoryNode root;

  DurableTree(Path realRoot) {
    root = new DirectoryNode(realRoot);
  }

  /** What is at the given path, which must exist. */
  Node node(Path relative) throws IOException {
    Node node = root;
    for (Path name : relative) {
      if (!name.toString().isEmpty() && node instanceof DirectoryNode directory) {
        node = directory.entry(name.toString());
      }
    }
    return node;
  }

  private Node.Place place(Path relative) throws IOException {
    Path parent = relative.getParent();
    if ((parent == null ? root : node(parent)) instanceof DirectoryNode directory) {
      return new Node.Place(directory, String.valueOf(relative.getFileName()));
    }
    throw new IllegalStateException("the parent of " + relative + " must be a directory");
  }

  Node created(Path relative, Node node) throws IOException {
    node.place(place(relative));
    return node;
  }

  Node removing(Path relative, RealChange change) throws IOException {
    Node node = node(relative);
    byte[] content = worthKeeping(node);
    change.run();
    remove(node, content);
    return node;
  }

  Node moving(Path from, Path to, RealChange change) throws IOException {
    Node node = node(from);
    Node.Place place = place(to);
    Path target = place.directory().real().resolve(place.name());
    Node replaced = Files.exists(target, LinkOption.NOFOLLOW_LINKS) ? node(to) : null;
    byte[] content = worthKeeping(replaced);
    change.run();
    if (replaced != null && replaced != node) {
      remove(replaced, content);
    }
    node.place(place);
    return node;
  }

  private static byte @Nullable [] worthKeeping(@Nullable Node node) throws IOException {
    return node instanceof FileNode file && file.isDurable() ? file.forcedContent() : null;
  }

  private static void remove(Node node, byte @Nullable [] content) {
    if (node instanceof FileNode file && content != null) {
      file.displace(content);
    } else {
      node.displace();
    }
  }

  /** Brings the real directory to its durable state: forced content under forced names. */
  void loseUnforced() throws IOException {
    Path realRoot = root.real();
    new PowerLoss(root).strike();
    root = new DirectoryNode(realRoot);
  }

  /** Brings every real file to its forced content, under the name it has now. */
  void loseUnforcedContent() throws IOException {
    root.adoptAll();
    root.allForced();
    loseUnforced();
  }
}
