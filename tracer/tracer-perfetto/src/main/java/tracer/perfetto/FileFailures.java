package tracer.perfetto;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The exceptions for trace files and dumps that cannot be made: what happened, the path, and how to
 * fix it.
 *
 * @param directory where the files go
 * @param isOfSink whether that is the directory of the sink; otherwise the caller of a dump named
 *     it
 */
record FileFailures(Path directory, boolean isOfSink) {

  /** The directory cannot be made, or takes no files. */
  IOException ofDirectory(IOException e) {
    if (isFull(e)) {
      return new IOException(
          "the directory %s takes no more files: %s; free space there, or %s"
              .formatted(directory, said(e), elsewhere()),
          e);
    }
    String what = isOfSink ? "the trace directory %s" : "the directory %s for the dump";
    String message = what + " must be writable but is not: %s; make it a directory that this";
    return new IOException(
        (message + " process may write to, or %s").formatted(directory, e, another()), e);
  }

  /** A dump cannot be made, or a file of the directory. */
  IOException ofNewFile(Path file, IOException e) {
    if (e instanceof FileAlreadyExistsException) {
      return new IOException(
          "the file %s exists already, and a dump overwrites no file; name another".formatted(file),
          e);
    }
    if (Files.isWritable(directory) && !isFull(e)) { // as when the name is too long
      return new IOException(
          "the file %s cannot be made: %s; name another file".formatted(file, e), e);
    }
    return ofDirectory(e);
  }

  /** What is in a file cannot be written, or not be forced to the disk. */
  IOException ofWrite(Path file, IOException e) {
    return new IOException(
        "the file %s cannot be written: %s; %s, or %s"
            .formatted(
                file, said(e), isFull(e) ? "free space there" : "check its disk", elsewhere()),
        e);
  }

  /** As the messages of Linux and Windows have it. */
  private static boolean isFull(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("No space left")
        || message.contains("not enough space")
        || message.contains("quota exceeded");
  }

  /** The message alone where the class says no more. */
  private static String said(IOException e) {
    return e.getClass().equals(IOException.class) ? String.valueOf(e.getMessage()) : e.toString();
  }

  private String elsewhere() {
    return isOfSink
        ? "take another directory with PerfettoFiles.in(...)"
        : "name a file in another directory";
  }

  private String another() {
    return isOfSink ? "take another with PerfettoFiles.in(...)" : "name a file in another one";
  }
}
