package eventlog.spill;

import eventlog.EventLogEntry;
import eventlog.spi.EntryWriter;
import eventlog.spi.JsonBuffer;
import eventlog.spi.UnwritableEntryException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * One event as one line: {@code {"seq":7,…,"crc32c":"89abcdef"}}. The checksum covers every byte
 * before its own comma.
 *
 * <p>A line without both is an event written by somebody else; it is taken as it is. Safe for use
 * by many threads.
 */
public final class LineFormat {
  private static final byte[] SEQ = "{\"seq\":".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CRC = ",\"crc32c\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\"}".getBytes(StandardCharsets.US_ASCII);
  private static final int HEX_DIGITS = 8;
  private static final int TRAILER = CRC.length + HEX_DIGITS + END.length;
  private static final int MOST_DIGITS = 19;
  private static final int PIECE = 64 * 1024;

  private LineFormat() {}

  /**
   * Appends an event as a line.
   *
   * @throws UnwritableEntryException if it cannot be written; then the buffer is as it was
   */
  static void write(EventLogEntry entry, long number, EntryWriter writer, JsonBuffer json) {
    int start = json.length();
    json.raw(SEQ).number(number).raw(',');
    writer.writeFields(entry, json, start);
    CRC32C crc = new CRC32C();
    crc.update(json.array(), start, json.length() - start);
    json.raw(CRC).hex((int) crc.getValue()).raw(END).raw('\n');
  }

  /**
   * Whether a line is as it was written.
   *
   * @param bytes holds the line
   * @param from where it begins
   * @param count its bytes, without the line feed
   * @return false if its checksum is wrong, or missing although it has a number
   */
  public static boolean isIntact(byte[] bytes, int from, int count) {
    int end = from + count;
    if (!endsWithTrailer(bytes, from, end)) {
      return !startsWith(bytes, from, end, SEQ);
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, count - TRAILER);
    return (int) crc.getValue() == hex(bytes, end - TRAILER + CRC.length);
  }

  /**
   * Whether a line of a file is as it was written, by its number and its checksum. Reads it piece
   * by piece, however long it is.
   *
   * @param channel the file
   * @param from where the line begins
   * @param count its bytes, without the line feed
   * @return false if its checksum is wrong, or it has no number or no checksum
   * @throws IOException if the file cannot be read
   */
  public static boolean isIntact(FileChannel channel, long from, long count) throws IOException {
    if (count < TRAILER + SEQ.length) {
      return false;
    }
    byte[] start = LineScan.read(channel, from, SEQ.length);
    byte[] trailer = LineScan.read(channel, from + count - TRAILER, TRAILER);
    if (trailer.length < TRAILER
        || !startsWith(start, 0, start.length, SEQ)
        || !startsWith(trailer, 0, TRAILER, CRC)
        || !startsWith(trailer, TRAILER - END.length, TRAILER, END)) {
      return false;
    }
    CRC32C crc = new CRC32C();
    for (long at = 0; at < count - TRAILER; at += PIECE) {
      crc.update(LineScan.read(channel, from + at, (int) Math.min(PIECE, count - TRAILER - at)));
    }
    return (int) crc.getValue() == hex(trailer, CRC.length);
  }

  private static boolean endsWithTrailer(byte[] bytes, int from, int end) {
    return end - from > TRAILER
        && startsWith(bytes, end - TRAILER, end, CRC)
        && startsWith(bytes, end - END.length, end, END);
  }

  private static boolean startsWith(byte[] bytes, int from, int end, byte[] wanted) {
    return end - from >= wanted.length
        && Arrays.equals(bytes, from, from + wanted.length, wanted, 0, wanted.length);
  }

  /** Anything that is no digit gives a number that no checksum has by accident. */
  private static int hex(byte[] bytes, int from) {
    int value = 0;
    for (int i = from; i < from + HEX_DIGITS; i++) {
      value = (value << 4) | (Character.digit(bytes[i], 16) & 15);
    }
    return value;
  }

  /** The number of a line, or 0 if it has none. */
  static long number(byte[] bytes, int from, int count) {
    int end = from + count;
    if (!startsWith(bytes, from, end, SEQ)) {
      return 0;
    }
    long number = 0;
    int last = Math.min(end, from + SEQ.length + MOST_DIGITS - 1);
    for (int i = from + SEQ.length; i < last && bytes[i] >= '0' && bytes[i] <= '9'; i++) {
      number = number * 10 + (bytes[i] - '0');
    }
    return number;
  }
}
