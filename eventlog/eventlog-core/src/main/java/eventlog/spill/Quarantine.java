package eventlog.spill;

import static java.lang.System.Logger.Level.WARNING;

import eventlog.EventLogEntry;
import eventlog.spi.EntryWriter;
import eventlog.spi.JsonBuffer;
import holdfast.files.PrivateFiles;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The file of what is set aside for a person: events the API will never take, and lines that are
 * none. Safe for use by many threads.
 */
final class Quarantine {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  private static final int FIRST_BYTES = 1024;

  private final Path file;
  private final long maxBytes;
  private final EntryWriter writer;
  private final TimeSource time;
  private final Set<String> said = ConcurrentHashMap.newKeySet();
  private volatile long lines; // changed with the lock, read without: a disk may hang

  Quarantine(Path file, Limits limits, TimeSource time) {
    this.file = file;
    this.maxBytes = limits.maxQuarantineBytes();
    this.writer = new EntryWriter(Integer.MAX_VALUE); // it may be older than the limit
    this.time = time;
  }

  /** Counts what is there; gives the count. */
  synchronized long recover() throws IOException {
    lines = LineScan.of(file, 0).pieces();
    return lines;
  }

  long lines() {
    return lines;
  }

  /**
   * Sets an event aside.
   *
   * @return false if there is no room
   */
  boolean add(EventLogEntry entry, String reason, String problem) throws IOException {
    JsonBuffer json = start(reason, problem);
    json.raw(",\"event\":".getBytes(StandardCharsets.US_ASCII));
    writer.write(entry, json);
    return append(json, reason, problem);
  }

  /**
   * Sets bytes aside that are no event.
   *
   * @return false if there is no room
   */
  boolean add(byte[] line, String reason, String problem) throws IOException {
    JsonBuffer json = start(reason, problem);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
      json.raw(",\"line\":".getBytes(StandardCharsets.US_ASCII)).text(text);
    } catch (CharacterCodingException e) {
      // Not even text; it must come back byte for byte all the same.
      json.raw(",\"lineBase64\":".getBytes(StandardCharsets.US_ASCII))
          .text(Base64.getEncoder().encodeToString(line));
    }
    return append(json, reason, problem);
  }

  private JsonBuffer start(String reason, String problem) {
    JsonBuffer json = new JsonBuffer(FIRST_BYTES);
    json.raw("{\"reason\":".getBytes(StandardCharsets.US_ASCII)).text(reason);
    json.raw(",\"problem\":".getBytes(StandardCharsets.US_ASCII)).text(problem);
    json.raw(",\"at\":".getBytes(StandardCharsets.US_ASCII)).text(time.instant().toString());
    return json;
  }

  private boolean append(JsonBuffer json, String reason, String problem) throws IOException {
    json.raw('}').raw('\n');
    boolean added = append(json);
    if (added && said.add(reason)) {
      LOG.log(
          WARNING,
          "eventlog set aside an event that is not sent again, the first for this reason="
              + reason
              + " problem="
              + problem
              + " file="
              + file
              + "; later ones are only counted, as held in quarantine; look at them with the command"
              + " eventlog inspect, and send them again with eventlog requeue");
    }
    return added;
  }

  private synchronized boolean append(JsonBuffer json) throws IOException {
    long before = Files.exists(file) ? Files.size(file) : 0;
    boolean added = SpillFiles.undisturbed(() -> append(json, before));
    lines = lines + (added ? 1 : 0);
    return added;
  }

  private boolean append(JsonBuffer json, long before) throws IOException {
    try (FileChannel channel =
        PrivateFiles.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (channel.size() > before) {
        channel.truncate(before); // what an attempt left that was interrupted
      }
      long size = before;
      if (size + json.length() > maxBytes) {
        return false;
      }
      if (size > 0 && !endsWithLine(channel, size)) {
        SpillFiles.writeFully(channel, ByteBuffer.wrap(new byte[] {'\n'}), size++);
      }
      try {
        SpillFiles.writeFully(channel, ByteBuffer.wrap(json.array(), 0, json.length()), size);
        channel.force(true);
      } catch (ClosedByInterruptException e) {
        throw e; // the channel is closed, and what it left is cut off by the next attempt
      } catch (IOException e) {
        channel.truncate(size);
        throw e;
      }
    }
    return true;
  }

  private static boolean endsWithLine(FileChannel channel, long size) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    channel.read(last, size - 1);
    return last.get(0) == '\n';
  }
}
