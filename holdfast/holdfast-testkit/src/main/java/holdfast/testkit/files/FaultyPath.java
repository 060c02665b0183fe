package holdfast.testkit.files;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/**
 * A path of a faulty file system: a real path's spelling, with another meaning. Immutable, and so
 * safe for use by many threads.
 */
final class FaultyPath implements Path {

  private final FaultyFileSystem fileSystem;
  private final Path spelling;

  FaultyPath(FaultyFileSystem fileSystem, Path spelling) {
    this.fileSystem = fileSystem;
    this.spelling = spelling;
  }

  Path spelling() {
    return spelling;
  }

  /** The real path this one stands for. */
  Path real() {
    return fileSystem.real(relative());
  }

  /** The way from the root to here, with no detours; empty for the root. */
  Path relative() {
    Path empty = spelling.getFileSystem().getPath("");
    Path relative = empty;
    for (Path name : spelling) {
      if (name.toString().equals("..")) {
        Path parent = relative.getParent();
        relative = parent == null ? empty : parent;
      } else if (!name.toString().equals(".")) {
        relative = relative.resolve(name);
      }
    }
    return relative;
  }

  /** How {@link Op} names this path. */
  String name() {
    String relative = relative().toString();
    return relative.isEmpty() ? "." : relative;
  }

  private FaultyPath path(Path other) {
    return new FaultyPath(fileSystem, other);
  }

  private @Nullable Path pathOrNull(@Nullable Path other) {
    return other == null ? null : path(other);
  }

  private boolean isKin(Path other) {
    return other instanceof FaultyPath faulty && faulty.fileSystem == fileSystem;
  }

  @Override
  public FaultyFileSystem getFileSystem() {
    return fileSystem;
  }

  @Override
  public boolean isAbsolute() {
    return spelling.isAbsolute();
  }

  @Override
  public @Nullable Path getRoot() {
    return pathOrNull(spelling.getRoot());
  }

  @Override
  public @Nullable Path getFileName() {
    return pathOrNull(spelling.getFileName());
  }

  @Override
  public @Nullable Path getParent() {
    return pathOrNull(spelling.getParent());
  }

  @Override
  public int getNameCount() {
    return spelling.getNameCount();
  }

  @Override
  public Path getName(int index) {
    return path(spelling.getName(index));
  }

  @Override
  public Path subpath(int beginIndex, int endIndex) {
    return path(spelling.subpath(beginIndex, endIndex));
  }

  @Override
  public boolean startsWith(Path other) {
    return isKin(other) && spelling.startsWith(((FaultyPath) other).spelling);
  }

  @Override
  public boolean endsWith(Path other) {
    return isKin(other) && spelling.endsWith(((FaultyPath) other).spelling);
  }

  @Override
  public Path normalize() {
    return path(spelling.normalize());
  }

  @Override
  public Path resolve(Path other) {
    return path(spelling.resolve(fileSystem.provider().own(other).spelling));
  }

  @Override
  public Path relativize(Path other) {
    return path(spelling.relativize(fileSystem.provider().own(other).spelling));
  }

  @Override
  public URI toUri() {
    try {
      return new URI(FaultyProvider.SCHEME, null, toAbsolutePath().toString(), null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("a path must have a URI but '" + this + "' has none", e);
    }
  }

  @Override
  public Path toAbsolutePath() {
    return isAbsolute() ? this : fileSystem.root().resolve(this);
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    Path root = fileSystem.root().real();
    return fileSystem.root().resolve(root.relativize(real().toRealPath(options)).toString());
  }

  @Override
  public File toFile() {
    throw new UnsupportedOperationException(
        "a faulty path has no File, which would lead past the faults; use Files and FileChannel");
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException(
        "a faulty file system cannot be watched; watch the real directory");
  }

  @Override
  public int compareTo(Path other) {
    return spelling.compareTo(((FaultyPath) other).spelling);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FaultyPath that
        && fileSystem == that.fileSystem
        && spelling.equals(that.spelling);
  }

  @Override
  public int hashCode() {
    return spelling.hashCode();
  }

  @Override
  public String toString() {
    return spelling.toString();
  }
}
