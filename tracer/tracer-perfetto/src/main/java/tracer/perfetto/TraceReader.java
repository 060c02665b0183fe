package tracer.perfetto;

import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * Reads segment files, chunk by chunk. A chunk whose checksum is wrong is passed over, up to the
 * next that is whole; a file that ends in the middle of a chunk is read up to its last whole
 * packet. Confined to one call.
 */
public final class TraceReader {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int BUFFER = 1 << 16;
  private static final byte[] NOTHING = {};

  /** How often, at most, all bytes of the file are read for chunks that are not whole. */
  private static final int PATIENCE = 4;

  private final FileChannel channel;
  private final long size;
  private final Consumer<TraceEntry> entries;
  private long chunks;
  private long packets;
  private long damagedBytes;
  private boolean truncated;
  private final byte[] window = new byte[BUFFER];
  private long windowFrom;
  private int windowBytes;
  private long inVain;

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
        damagedBytes += next - at - (truncated ? wholePackets(at) : 0);
        at = next;
      }
    }
    return new Report(size, chunks, packets, damagedBytes, truncated);
  }

  /** Reads the chunk that begins there; gives its length, or 0 if none does. */
  private long chunkAt(long at) throws IOException {
    byte[] header = header(at);
    long end = at + Chunk.HEADER + length(header);
    if (header.length == 0 || end > size || inVain > PATIENCE * size) {
      return 0;
    }
    byte[] content = bytes(at + Chunk.HEADER, length(header));
    if ((int) INT.get(header, Chunk.numbers(0) + 4) != Chunk.checksum(content, 0, content.length)) {
      inVain += content.length;
      return 0;
    }
    ChunkDecoder decoder = new ChunkDecoder(entries);
    try {
      decoder.decode(content);
    } catch (WireReader.MalformedException e) { // not by us, or by two at once
      inVain += content.length;
      return 0;
    }
    packets += decoder.packets();
    return end - at;
  }

  /** The frame of a chunk that begins there; empty if none does. */
  private byte[] header(long at) throws IOException {
    if (size - at < Chunk.HEADER) {
      return NOTHING;
    }
    byte[] header = bytes(at, Chunk.HEADER);
    int numbers = Chunk.numbers(0);
    boolean isWhole =
        Chunk.isFrame(header)
            && (int) INT.get(header, numbers + 8) == Chunk.checksum(header, numbers, 8)
            && (int) INT.get(header, numbers) >= 0;
    return isWhole ? header : NOTHING;
  }

  private static int length(byte[] header) {
    return header.length == 0 ? 0 : (int) INT.get(header, Chunk.numbers(0));
  }

  /**
   * Reads the whole packets of a chunk in which the file ends. Its checksum cannot be checked, but
   * that of its length says that it is a chunk of ours.
   *
   * @return how many bytes of the file they have
   */
  private long wholePackets(long at) throws IOException {
    byte[] header = header(at);
    if (header.length == 0 || at + Chunk.HEADER + length(header) <= size) {
      return 0;
    }
    byte[] content = bytes(at + Chunk.HEADER, (int) (size - at - Chunk.HEADER));
    ChunkDecoder decoder = new ChunkDecoder(entries);
    try {
      decoder.decode(content);
    } catch (WireReader.MalformedException e) {
      // The packet in which the file ends; it is counted as damaged.
    }
    packets += decoder.packets();
    return decoder.packets() == 0 ? 0 : Chunk.HEADER + decoder.decoded();
  }

  private byte[] bytes(long at, int length) throws IOException {
    byte[] bytes = new byte[length];
    read(at, bytes, length);
    return bytes;
  }

  private void read(long at, byte[] into, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) {
        throw new EOFException("the file became shorter than " + (at + length) + " bytes");
      }
    }
  }

  /** Where the next frame may begin, or the end of the file. */
  private long nextMarker(long from) throws IOException {
    int marker = Chunk.marker(0);
    for (long begin = from; begin + marker + Chunk.MARKER.length <= size; begin++) {
      if (isMarker(begin + marker)) {
        return begin;
      }
    }
    return size;
  }

  private boolean isMarker(long at) throws IOException {
    for (int i = 0; i < Chunk.MARKER.length; i++) {
      if (byteAt(at + i) != Chunk.MARKER[i]) {
        return false;
      }
    }
    return true;
  }

  private byte byteAt(long at) throws IOException {
    if (at < windowFrom || at >= windowFrom + windowBytes) {
      windowBytes = (int) Math.min(window.length, size - at);
      windowFrom = at;
      read(at, window, windowBytes);
    }
    return window[(int) (at - windowFrom)];
  }
}
