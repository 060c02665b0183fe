package tracer.perfetto;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Reads segment files, chunk by chunk. A chunk whose checksum is wrong is passed over, up to the
 * next that is whole; a file that ends in the middle of a chunk is read up to there. Confined to
 * one call.
 */
public final class TraceReader {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int BUFFER = 1 << 16;

  private final FileChannel channel;
  private final long size;
  private final Consumer<TraceEntry> entries;
  private long chunks;
  private long packets;
  private long damagedBytes;
  private boolean truncated;

  /**
   * What was found in a file.
   *
   * @param bytes its size
   * @param chunks the chunks that were whole
   * @param packets the packets in them
   * @param damagedBytes the bytes that were passed over
   * @param truncated whether it ends in the middle of a chunk
   */
  public record Report(
      long bytes, long chunks, long packets, long damagedBytes, boolean truncated) {}

  private TraceReader(FileChannel channel, Consumer<TraceEntry> entries) throws IOException {
    this.channel = channel;
    this.size = channel.size();
    this.entries = entries;
  }

  /**
   * Reads a file.
   *
   * @param file a segment; it may still be written
   * @param entries is given each event and each mark, in the order of the file
   * @return what was found
   * @throws IOException if the file cannot be read
   */
  public static Report read(Path file, Consumer<TraceEntry> entries) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException(
          "a trace must be in a file but "
              + file
              + " is none; name a file such as trace-*.perfetto-trace");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new TraceReader(channel, entries).read();
    }
  }

  private Report read() throws IOException {
    long at = 0;
    while (at < size) {
      long length = chunkAt(at);
      if (length > 0) {
        at += length;
        chunks++;
      } else {
        long next = nextMarker(at + 1);
        // Whole chunks may follow a torn one only if others were written after it.
        truncated = next == size;
        damagedBytes += next - at;
        at = next;
      }
    }
    return new Report(size, chunks, packets, damagedBytes, truncated);
  }

  /** Reads the chunk that begins there; gives its length, or 0 if none does. */
  private long chunkAt(long at) throws IOException {
    if (size - at < Chunk.HEADER) {
      return 0;
    }
    byte[] header = bytes(at, Chunk.HEADER);
    int numbers = Chunk.numbers(0);
    int length = (int) INT.get(header, numbers);
    if (!Chunk.isFrame(header)
        || (int) INT.get(header, numbers + 8) != Chunk.checksum(header, numbers, 8)
        || length < 0
        || length > size - at - Chunk.HEADER) {
      return 0;
    }
    byte[] content = bytes(at + Chunk.HEADER, length);
    if ((int) INT.get(header, numbers + 4) != Chunk.checksum(content, 0, length)) {
      return 0;
    }
    try {
      packets += new ChunkDecoder(entries).decode(content, 0, length);
    } catch (WireReader.MalformedException e) { // not by us, or by two at once
      return 0;
    }
    return Chunk.HEADER + (long) length;
  }

  private byte[] bytes(long at, int length) throws IOException {
    channel.position(at);
    byte[] bytes = Channels.newInputStream(channel).readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the file became shorter than " + (at + length) + " bytes");
    }
    return bytes;
  }

  /** Where the next frame may begin, or the end of the file. */
  private long nextMarker(long from) throws IOException {
    channel.position(from);
    InputStream in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER);
    byte[] last = new byte[Chunk.MARKER.length];
    for (long at = from; at < size; at++) {
      int next = in.read();
      if (next < 0) {
        return size;
      }
      System.arraycopy(last, 1, last, 0, last.length - 1);
      last[last.length - 1] = (byte) next;
      long begin = at + 1 - last.length - Chunk.marker(0);
      if (begin >= from && Arrays.equals(last, Chunk.MARKER)) {
        return begin;
      }
    }
    return size;
  }
}
