package holdfast.testkit.files;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Everything {@code Files} and {@code FileChannel} ask of a file system: questions go to the real
 * files, changes to {@link Changes}.
 *
 * <p>There is one provider for each faulty file system, so that a copy between two of them is seen
 * by both. Safe for use by many threads.
 */
final class FaultyProvider extends FileSystemProvider {

  static final String SCHEME = "faulty";

  private final Changes changes;

  FaultyProvider(Changes changes) {
    this.changes = changes;
  }

  /** The given path as one of this provider's file system. */
  FaultyPath own(Path path) {
    if (path instanceof FaultyPath faulty && faulty.getFileSystem().provider() == this) {
      return faulty;
    }
    throw new ProviderMismatchException(
        "a path of this faulty file system is needed but '" + path + "' is of another one");
  }

  private static UnsupportedOperationException onlyByPath() {
    return new UnsupportedOperationException(
        "a faulty file system cannot be found by URI; start from FaultyFiles.root()");
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
    throw onlyByPath();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw onlyByPath();
  }

  @Override
  public Path getPath(URI uri) {
    throw onlyByPath();
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return changes.open(own(path), options, attributes);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return changes.open(own(path), options, attributes);
  }

  @Override
  public AsynchronousFileChannel newAsynchronousFileChannel(
      Path path,
      Set<? extends OpenOption> options,
      @Nullable ExecutorService executor,
      FileAttribute<?>... attributes) {
    throw new UnsupportedOperationException(
        "a faulty file system has no asynchronous channels; use FileChannel");
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    return Listing.of(own(directory), filter);
  }

  @Override
  public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
    changes.createDirectory(own(directory), attributes);
  }

  @Override
  public void delete(Path path) throws IOException {
    changes.delete(own(path));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    new FileCopy(changes, Set.copyOf(List.of(options))).copy(own(source), own(target));
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    changes.move(own(source), own(target), options);
  }

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    if (path.equals(other)) {
      return true;
    }
    return other instanceof FaultyPath faulty
        && faulty.getFileSystem() == path.getFileSystem()
        && Files.isSameFile(own(path).real(), faulty.real());
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return Files.isHidden(own(path).real());
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return Files.getFileStore(own(path).real());
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    Path real = own(path).real();
    real.getFileSystem().provider().checkAccess(real, modes);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    V real = Files.getFileAttributeView(own(path).real(), type, options);
    return real == null ? null : changes.guarded(own(path), type, real);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return Files.readAttributes(own(path).real(), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    return Files.readAttributes(own(path).real(), attributes, options);
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    changes.setAttribute(own(path), attribute, value, options);
  }
}
