package eventlog.spill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The names of the files in a spillover directory, and what the JDK leaves to do by hand with them.
 *
 * @param directory the directory
 */
public record SpillFiles(Path directory) {
  static final String LOCK = "eventlog-spillover.lock";

  private static final boolean WINDOWS = System.getProperty("os.name", "").startsWith("Windows");

  /** Where new events are appended. */
  public Path active() {
    return directory.resolve("eventlog-spillover.jsonl");
  }

  /** The frozen file that is being sent. */
  public Path replay() {
    return directory.resolve("eventlog-spillover.replay.jsonl");
  }

  /** How far the sending has come. */
  public Path progress() {
    return directory.resolve("eventlog-spillover.replay.progress");
  }

  /** What was set aside. */
  public Path quarantine() {
    return directory.resolve("eventlog-spillover.quarantine.jsonl");
  }

  /** What is locked by the process that uses the directory. */
  public Path lock() {
    return directory.resolve(LOCK);
  }

  /** Makes sure that creations, moves and deletions in the directory survive a loss of power. */
  public void forceDirectory() throws IOException {
    if (WINDOWS) {
      return; // it has no such call, and writes names through by itself
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Something done to files. */
  interface Work<T> {
    T run() throws IOException;
  }

  /**
   * Does something to files on a thread that may be interrupted at the end of its time: an
   * interrupt closes the channel it writes to, even one opened a moment after. It is kept for
   * afterwards, and the work is done again from the beginning.
   */
  static <T> T undisturbed(Work<T> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return work.run();
        } catch (ClosedByInterruptException e) {
          Thread.interrupted();
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Writes all that is left in the buffer. */
  static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
    long at = position;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
  }
}
