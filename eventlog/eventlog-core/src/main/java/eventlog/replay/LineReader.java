package eventlog.replay;

import eventlog.EventLogEntry;
import eventlog.spi.EntryReader;
import eventlog.spill.LineFormat;
import eventlog.spill.LineScan;
import holdfast.files.PrivateFiles;
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

  /** No setting allows an event to be longer. */
  private static final int LONGEST_BYTES = 256 * 1024 * 1024 + 1024;

  private static final EntryReader READER = new EntryReader();

  private final FileChannel channel;
  private final int maxLineBytes;
  private byte[] bytes;
  private int start; // of what is read and not yet handed out
  private int end;
  private long startOffset; // of bytes[start] in the file
  private byte[] line; // holds the line; the same array unless the line is long
  private long lineOffset;
  private int lineFrom;
  private int lineCount;
  private boolean tooLong;
  private boolean heldBack;

  /**
   * A reader.
   *
   * @param file the file
   * @param offset where to begin, at the beginning of a line
   * @param maxLineBytes of a longer line only the beginning is read, unless its checksum shows that
   *     it is an event written with a larger limit
   * @throws IOException if the file cannot be opened
   */
  public LineReader(Path file, long offset, int maxLineBytes) throws IOException {
    this.channel = PrivateFiles.open(file, StandardOpenOption.READ);
    this.maxLineBytes = maxLineBytes;
    this.bytes = new byte[Math.min(FIRST_BYTES, maxLineBytes + 1)];
    this.startOffset = offset;
    this.line = bytes;
  }

  /** Goes to the next line; false at the end of the file. */
  public boolean next() throws IOException {
    if (heldBack) {
      heldBack = false;
      return true;
    }
    tooLong = false;
    lineOffset = startOffset;
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

  /** Has the line come once more when the next one is asked for. */
  void holdBack() {
    heldBack = true;
  }

  private void take(int count, int separator) {
    line = bytes;
    lineFrom = start;
    lineCount = Math.min(count, maxLineBytes);
    tooLong = count > maxLineBytes;
    start += count + separator;
    startOffset += count + separator;
  }

  /**
   * Goes behind the end of a line that is longer than those written now. It may have been written
   * with a larger limit: one that is intact is read whole, of any other the beginning is kept.
   */
  private boolean skipLongLine() throws IOException {
    byte[] beginning = Arrays.copyOfRange(bytes, start, start + maxLineBytes);
    boolean ended = false;
    while (!ended) {
      int i = start;
      while (i < end && bytes[i] != '\n') {
        i++;
      }
      ended = i < end;
      startOffset += i - start;
      start = i;
      if (!ended && !readMore()) {
        break;
      }
    }
    long count = startOffset - lineOffset;
    startOffset += ended ? 1 : 0;
    start += ended ? 1 : 0;
    tooLong = count > LONGEST_BYTES || !LineFormat.isIntact(channel, lineOffset, count);
    line = tooLong ? beginning : LineScan.read(channel, lineOffset, (int) count);
    lineFrom = 0;
    lineCount = line.length;
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
    return Arrays.copyOfRange(line, lineFrom, lineFrom + lineCount);
  }

  /** The array that holds the line, until the next one is asked for. */
  byte[] array() {
    return line;
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
    if (!LineFormat.isIntact(line, lineFrom, lineCount)) {
      throw new IllegalArgumentException("the checksum does not match");
    }
    return READER.read(line, lineFrom, lineCount);
  }

  /** Where the next line begins. */
  public long nextOffset() {
    return heldBack ? lineOffset : startOffset;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
