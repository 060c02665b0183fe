package eventlog.spill;

import holdfast.files.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * How far the replay file has been sent, in a small file beside it. Confined to its directory's
 * lock.
 *
 * <p>The file has two lines of fixed length that are written in turns, each with a checksum: if one
 * is torn, the other still says where the batch before it ended. A line also names the replay file
 * it speaks of, by a checksum of its beginning, so that what is left of an earlier one is not
 * believed.
 */
public final class Progress {
  private static final int SLOT_BYTES = 128;
  private static final int BEGINNING_BYTES = 4096;
  private static final Pattern SLOT =
      Pattern.compile(
          "(\\{\"file\":\"([0-9a-f]{8})\",\"write\":(\\d{1,18}),\"offset\":(\\d{1,18}))"
              + ",\"crc32c\":\"([0-9a-f]{8})\"} *\n");

  private final SpillFiles files;
  private final String file;
  private long write;
  private long offset;

  private Progress(SpillFiles files, String file) {
    this.files = files;
    this.file = file;
  }

  /** The progress of the active file once it is the replay file: none of it is sent. */
  static Progress ofNext(SpillFiles files) throws IOException {
    return none(files, files.active());
  }

  private static Progress none(SpillFiles files, Path file) throws IOException {
    return new Progress(files, checksum(LineScan.read(file, 0, BEGINNING_BYTES)));
  }

  /** What is known about the replay file, which must exist. */
  static Progress of(SpillFiles files) throws IOException {
    Progress progress = none(files, files.replay());
    if (Files.exists(files.progress())) {
      byte[] slots = LineScan.read(files.progress(), 0, 2 * SLOT_BYTES);
      progress.believe(slots, 0);
      progress.believe(slots, SLOT_BYTES);
    }
    if (progress.offset > Files.size(files.replay())) {
      progress.offset = 0; // it speaks of a file that was longer
    }
    return progress;
  }

  /**
   * How far a replay file has been sent, by what its side-car says.
   *
   * @param files the directory, which need not be locked
   * @return 0 if there is no replay file, or none of it was sent
   * @throws IOException if the files cannot be read
   */
  public static long offset(SpillFiles files) throws IOException {
    return Files.exists(files.replay()) ? of(files).offset : 0;
  }

  private void believe(byte[] slots, int from) {
    if (slots.length < from + SLOT_BYTES) {
      return;
    }
    String text = new String(slots, from, SLOT_BYTES, StandardCharsets.ISO_8859_1);
    Matcher slot = SLOT.matcher(text);
    if (slot.matches()
        && checksum(slot.group(1)).equals(slot.group(5))
        && slot.group(2).equals(file)
        && Long.parseLong(slot.group(3)) > write) {
      write = Long.parseLong(slot.group(3));
      offset = Long.parseLong(slot.group(4));
    }
  }

  /** Where the first event begins that has not been answered for. */
  long offset() {
    return offset;
  }

  /** Remembers how far it came, on disk as well if that can be written. */
  void advance(long newOffset, boolean force) throws IOException {
    offset = newOffset;
    write++;
    String text =
        String.format(
            Locale.ROOT, "{\"file\":\"%s\",\"write\":%d,\"offset\":%d", file, write, offset);
    String line = text + ",\"crc32c\":\"" + checksum(text) + "\"}";
    String slot = line + " ".repeat(SLOT_BYTES - 1 - line.length()) + "\n";
    ByteBuffer bytes = ByteBuffer.wrap(slot.getBytes(StandardCharsets.ISO_8859_1));
    SpillFiles.undisturbed(() -> save(bytes.duplicate(), force));
  }

  private Progress save(ByteBuffer bytes, boolean force) throws IOException {
    try (FileChannel channel =
        PrivateFiles.open(files.progress(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      SpillFiles.writeFully(channel, bytes, write % 2 * SLOT_BYTES);
      if (force) {
        channel.force(true);
      }
    }
    return this;
  }

  private static String checksum(String text) {
    return checksum(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }
}
