package holdfast.testkit.files;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The changing calls of a file system, each split into the operations that the plan numbers.
 *
 * <p>A call that cannot change anything, because what it needs is missing or something is in its
 * way, goes to the real files without a number and fails there: JDKs differ in how often they try,
 * and numbers must not. Safe for use by many threads.
 */
final class Changes {

  private final FaultPlan plan;
  private final ProcessLife life;
  private final DurableTree tree;

  Changes(FaultPlan plan, ProcessLife life, DurableTree tree) {
    this.plan = plan;
    this.life = life;
    this.tree = tree;
  }

  FaultyChannel open(
      FaultyPath path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    if (options.contains(StandardOpenOption.DELETE_ON_CLOSE)) {
      throw new UnsupportedOperationException(
          "a faulty file system cannot delete on close, which nothing would number; delete the"
              + " file by Files.delete");
    }
    return plan.exclusively(
        () -> {
          FileChannel real = openReal(path, options, attributes);
          RealFile file = new RealFile(real, tree.node(path.relative()), options);
          return new FaultyChannel(file, plan, life, path.name(), isWriting(options));
        });
  }

  private FileChannel openReal(
      FaultyPath path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path real = path.real();
    IoCall<FileChannel> opening = () -> FileChannel.open(real, options, attributes);
    if (!isWriting(options)) {
      return opening.run();
    }
    if (!exists(real)) {
      boolean creates =
          options.contains(StandardOpenOption.CREATE)
              || options.contains(StandardOpenOption.CREATE_NEW);
      return attempt(
          creates && hasParent(real),
          FileOperation.CREATE,
          path,
          path,
          () -> {
            FileChannel channel = opening.run();
            tree.created(path.relative(), new FileNode(0));
            return channel;
          });
    }
    boolean truncates =
        options.contains(StandardOpenOption.TRUNCATE_EXISTING)
            && !options.contains(StandardOpenOption.CREATE_NEW)
            && Files.isRegularFile(real);
    return attempt(
        truncates,
        FileOperation.TRUNCATE,
        path,
        path,
        () -> {
          if (truncates && tree.node(path.relative()) instanceof FileNode file) {
            file.truncating(0);
          }
          return opening.run();
        });
  }

  private static boolean isWriting(Set<? extends OpenOption> options) {
    return options.contains(StandardOpenOption.WRITE)
        || options.contains(StandardOpenOption.APPEND);
  }

  void createDirectory(FaultyPath directory, FileAttribute<?>... attributes) throws IOException {
    plan.exclusively(
        () -> {
          Path real = directory.real();
          return attempt(
              !exists(real) && hasParent(real),
              FileOperation.CREATE_DIRECTORY,
              directory,
              directory,
              () -> {
                Files.createDirectory(real, attributes);
                return tree.created(directory.relative(), new DirectoryNode());
              });
        });
  }

  void delete(FaultyPath path) throws IOException {
    requireBelowRoot(path);
    plan.exclusively(
        () -> {
          Path real = path.real();
          return attempt(
              exists(real) && !hasEntries(real),
              FileOperation.DELETE,
              path,
              path,
              () -> tree.removing(path.relative(), () -> Files.delete(real)));
        });
  }

  void move(FaultyPath source, FaultyPath target, CopyOption... options) throws IOException {
    requireBelowRoot(source);
    requireBelowRoot(target);
    Set<CopyOption> chosen = Set.copyOf(List.of(options));
    plan.exclusively(
        () -> {
          Path from = source.real();
          Path to = target.real();
          boolean atomic = chosen.contains(StandardCopyOption.ATOMIC_MOVE);
          if (exists(from) && exists(to) && !atomic && !Files.isSameFile(from, to)) {
            makeRoom(target, chosen);
          }
          return attempt(
              exists(from) && hasParent(to) && (atomic || !exists(to)),
              FileOperation.MOVE,
              source,
              target,
              () ->
                  tree.moving(
                      source.relative(), target.relative(), () -> Files.move(from, to, options)));
        });
  }

  /** Without the promise to be atomic, a move or copy deletes what it replaces and then begins. */
  void makeRoom(FaultyPath target, Set<CopyOption> options) throws IOException {
    if (options.contains(StandardCopyOption.REPLACE_EXISTING)) {
      delete(target);
    }
  }

  void setAttribute(FaultyPath path, String attribute, Object value, LinkOption... options)
      throws IOException {
    Path real = path.real();
    changeAttributes(path, () -> Files.setAttribute(real, attribute, value, options));
  }

  <V extends FileAttributeView> V guarded(FaultyPath path, Class<V> type, V real) {
    return type.cast(
        Proxy.newProxyInstance(
            Changes.class.getClassLoader(),
            new Class<?>[] {type},
            new GuardedView(this, life, path, real)));
  }

  /** Does something to the attributes of a file. */
  <T> T changeAttributes(FaultyPath path, IoCall<T> effect) throws IOException {
    return plan.exclusively(
        () -> attempt(exists(path.real()), FileOperation.CHANGE_ATTRIBUTES, path, path, effect));
  }

  private <T> T attempt(
      boolean possible,
      FileOperation operation,
      FaultyPath path,
      FaultyPath target,
      IoCall<T> effect)
      throws IOException {
    return possible ? plan.change(operation, path.name(), target.name(), effect) : effect.run();
  }

  private static void requireBelowRoot(FaultyPath path) throws FileSystemException {
    if (path.name().equals(".")) {
      throw new FileSystemException(
          path.toString(), null, "the root stands for the real directory and cannot be changed");
    }
  }

  private static boolean exists(Path real) {
    return Files.exists(real, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean hasParent(Path real) {
    Path parent = real.getParent();
    return parent != null && Files.isDirectory(parent);
  }

  private static boolean hasEntries(Path real) throws IOException {
    if (!Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(real)) {
      return entries.findAny().isPresent();
    }
  }
}
