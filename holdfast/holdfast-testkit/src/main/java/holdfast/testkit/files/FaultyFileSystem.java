package holdfast.testkit.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.Set;

/**
 * The file system whose root stands for a real directory.
 *
 * <p>The syntax of its paths is that of the real ones. Its working directory is its root, and
 * nothing in it leads above that. Safe for use by many threads.
 */
final class FaultyFileSystem extends FileSystem {

  private final Path realRoot;
  private final ProcessLife life;
  private final FaultyProvider provider;

  FaultyFileSystem(Path realRoot, ProcessLife life, FaultyProvider provider) {
    this.realRoot = realRoot;
    this.life = life;
    this.provider = provider;
  }

  FaultyPath root() {
    return path(realRoot.getFileSystem().getPath(getSeparator()));
  }

  /** The path of this file system that is spelled like the given one. */
  FaultyPath path(Path spelling) {
    return new FaultyPath(this, spelling);
  }

  /** The real path for one relative to the root; a dead process reaches none. */
  Path real(Path relative) {
    life.requireAlive();
    return realRoot.resolve(relative);
  }

  @Override
  public FaultyProvider provider() {
    return provider;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException(
        "a faulty file system lives as long as its FaultyFiles; close the files instead");
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return realRoot.getFileSystem().getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(root());
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    try {
      return List.of(Files.getFileStore(realRoot));
    } catch (IOException e) {
      throw new UncheckedIOException("the file store of " + realRoot + " is not known", e);
    }
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return realRoot.getFileSystem().supportedFileAttributeViews();
  }

  @Override
  public Path getPath(String first, String... more) {
    return path(realRoot.getFileSystem().getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    PathMatcher matcher = realRoot.getFileSystem().getPathMatcher(syntaxAndPattern);
    return path -> matcher.matches(provider.own(path).spelling());
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return realRoot.getFileSystem().getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException(
        "a faulty file system cannot be watched; watch the real directory");
  }
}
