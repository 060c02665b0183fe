package eventlog.replay;

import eventlog.EventLogEntry;
import eventlog.spi.EntryReader;
import eventlog.spill.LineFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Reads a file line by line, never more than one line and a piece at a time. Not safe for use by
 * many threads.
 */
public final class LineReader implements AutoCloseable {
  private static final int FIRST_BYTES = 256 * 1024;
  private static final EntryReader READER = new EntryReader();

  private final FileChannel channel;
  private final int maxLineBytes;
  private byte[] bytes;
  private int start; // of what is read and not yet handed out
  private int end;
  private long startOffset; // of bytes[start] in the file
  private int lineFrom;
  private int lineCount;
  private boolean tooLong;

  /**
   * A reader.
   *
   * @param file the file
   * @param offset where to begin, at the beginning of a line
   * @param maxLineBytes of a longer line only the beginning is read
   * @throws IOException if the file cannot be opened
   */
  public LineReader(Path file, long offset, int maxLineBytes) throws IOException {
    this.channel = FileChannel.open(file, StandardOpenOption.READ);
    this.maxLineBytes = maxLineBytes;
    this.bytes = new byte[Math.min(FIRST_BYTES, maxLineBytes + 1)];
    this.startOffset = offset;
  }

  /** Goes to the next line; false at the end of the file. */
  public boolean next() throws IOException {
    tooLong = false;
    int scanned = start;
    while (true) {
      for (int i = scanned; i < end; i++) {
        if (bytes[i] == '\n') {
          take(i - start, 1);
          return true;
        }
      }
      scanned = end;
      if (end - start > maxLineBytes) {
        return skipLongLine();
      }
      int moved = start;
      if (!readMore()) {
        boolean rest = end > start;
        take(end - start, 0);
        return rest;
      }
      scanned -= moved - start;
    }
  }

  private void take(int count, int separator) {
    lineFrom = start;
    lineCount = Math.min(count, maxLineBytes);
    tooLong = count > maxLineBytes;
    start += count + separator;
    startOffset += count + separator;
  }

  /** Keeps the beginning of a line that is longer than any of ours, and goes behind its end. */
  private boolean skipLongLine() throws IOException {
    byte[] beginning = Arrays.copyOfRange(bytes, start, start + maxLineBytes);
    boolean ended = false;
    while (!ended) {
      int i = start;
      while (i < end && bytes[i] != '\n') {
        i++;
      }
      ended = i < end;
      startOffset += i - start + (ended ? 1 : 0);
      start = i + (ended ? 1 : 0);
      if (!ended && !readMore()) {
        break;
      }
    }
    // Handed out from its own place: what follows in the buffer has already been read.
    byte[] joined = Arrays.copyOf(beginning, beginning.length + end - start);
    System.arraycopy(bytes, start, joined, beginning.length, end - start);
    lineFrom = 0;
    lineCount = beginning.length;
    end = joined.length;
    start = beginning.length;
    bytes = joined;
    tooLong = true;
    return true;
  }

  /** Reads on behind what there is, after moving that to the front; false at the end. */
  private boolean readMore() throws IOException {
    System.arraycopy(bytes, start, bytes, 0, end - start);
    end -= start;
    start = 0;
    if (end == bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(2L * bytes.length, maxLineBytes + 1L));
    }
    int read = channel.read(ByteBuffer.wrap(bytes, end, bytes.length - end), startOffset + end);
    end += Math.max(0, read);
    return read > 0;
  }

  /** The bytes of the line, as far as they are here. */
  public byte[] copy() {
    return Arrays.copyOfRange(bytes, lineFrom, lineFrom + lineCount);
  }

  /** The array that holds the line, until the next one is asked for. */
  byte[] array() {
    return bytes;
  }

  int from() {
    return lineFrom;
  }

  int count() {
    return lineCount;
  }

  /** Whether the line is longer than allowed, so that only its beginning is here. */
  boolean isTooLong() {
    return tooLong;
  }

  /**
   * The line as an event.
   *
   * @throws IllegalArgumentException if it is none, saying why
   */
  public EventLogEntry event() {
    if (tooLong) {
      throw new IllegalArgumentException(
          "the line is longer than any event; this is its beginning");
    }
    if (!LineFormat.isIntact(bytes, lineFrom, lineCount)) {
      throw new IllegalArgumentException("the checksum does not match");
    }
    return READER.read(bytes, lineFrom, lineCount);
  }

  /** Where the next line begins. */
  public long nextOffset() {
    return startOffset;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
