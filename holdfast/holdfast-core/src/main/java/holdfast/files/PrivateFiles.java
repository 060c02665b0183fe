package holdfast.files;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Files and directories that only their owner may read and write. Stateless; safe for use by many
 * threads.
 *
 * <p>A file is made with the permissions {@code rw-------}, a directory with {@code rwx------};
 * those that are there already keep theirs. Where a file system has no POSIX permissions, as on
 * Windows, both are made with its defaults, and the log says so once.
 */
public final class PrivateFiles {
  private static final System.Logger LOG = LibraryLogger.of("holdfast");
  private static final AtomicBoolean SAID_WITHOUT_PERMISSIONS = new AtomicBoolean();

  private PrivateFiles() {}

  /**
   * Opens a file; makes it if the options ask for that. Does not follow a symbolic link in the
   * place of the file; directories on the way to it may be links.
   *
   * @param file the file
   * @param options how to open it
   * @return an open channel, to be closed
   * @throws IOException if it cannot be opened, or is a symbolic link
   */
  public static FileChannel open(Path file, StandardOpenOption... options) throws IOException {
    Set<OpenOption> all = new HashSet<>(List.of(options));
    boolean makes =
        all.contains(StandardOpenOption.CREATE) || all.contains(StandardOpenOption.CREATE_NEW);
    all.add(LinkOption.NOFOLLOW_LINKS);
    try {
      return makes
          ? FileChannel.open(file, all, owner(file, "rw-------"))
          : FileChannel.open(file, all);
    } catch (FileAlreadyExistsException e) {
      throw e; // also if that is a link: it is not touched
    } catch (IOException e) {
      if (!Files.isSymbolicLink(file)) {
        throw e;
      }
      FileSystemException link =
          new FileSystemException(
              file.toString(),
              null,
              "is a symbolic link, and links are not followed; replace it by a file, or delete it");
      link.addSuppressed(e);
      throw link;
    }
  }

  /**
   * Makes a directory and those above it that are missing; does nothing if it is there.
   *
   * @param directory the directory; it may be a symbolic link to one
   * @throws IOException if it cannot be made
   */
  public static void createDirectories(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, owner(directory, "rwx------"));
    }
  }

  private static FileAttribute<?>[] owner(Path path, String permissions) {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[] {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
      };
    }
    if (SAID_WITHOUT_PERMISSIONS.compareAndSet(false, true)) {
      LOG.log(
          WARNING,
          "holdfast cannot keep files to their owner, because the file system has no POSIX"
              + " permissions; restrict the access to their directory path="
              + path);
    }
    return new FileAttribute<?>[0];
  }
}
