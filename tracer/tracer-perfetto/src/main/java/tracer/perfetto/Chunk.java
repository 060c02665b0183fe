package tracer.perfetto;

import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The frame around the packets that are written together.
 *
 * <pre>
 * packet { synchronization_marker: 16 bytes, always the same   chunk: length, checksum, checksum of both }
 * packet { … }   as many as the length says
 * </pre>
 *
 * <p>All of it is a packet of Perfetto's, so its viewer reads the file as it is. A chunk needs no
 * other: it brings the names and threads of its events. Stateless.
 */
final class Chunk {
  /** How many bytes the frame has before the packets. */
  static final int HEADER = 2 + 3 + 16 + 3 + 12;

  /** What a reader looks for after damage; the value is Perfetto's. */
  static final byte[] MARKER = {
    (byte) 0x82,
    0x47,
    0x7a,
    0x76,
    (byte) 0xb2,
    (byte) 0x8d,
    0x42,
    (byte) 0xba,
    (byte) 0x81,
    (byte) 0xdc,
    0x33,
    0x32,
    0x6d,
    0x57,
    (byte) 0xa0,
    0x79
  };

  private static final int FIELDS = 3 * Integer.BYTES;
  private static final byte[] FRAME = frame();

  private Chunk() {}

  /** Begins a chunk; its numbers are filled in at the end. */
  static void begin(WireWriter out) {
    int packet = out.beginSmall(Fields.PACKET);
    out.field(Fields.SYNCHRONIZATION_MARKER, MARKER);
    int chunk = out.beginSmall(Fields.CHUNK);
    out.fixed(0);
    out.fixed(0);
    out.fixed(0);
    out.endSmall(chunk);
    out.endSmall(packet);
  }

  /** Ends the chunk that began at that place. */
  static void end(WireWriter out, int begun) {
    int packets = begun + HEADER;
    int length = out.size() - packets;
    int place = packets - FIELDS;
    out.fixedAt(place, length);
    out.fixedAt(place + 4, checksum(out.bytes(), packets, length));
    out.fixedAt(place + 8, checksum(out.bytes(), place, 8));
  }

  static int checksum(byte[] bytes, int from, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, from, length);
    return (int) checksum.getValue();
  }

  private static byte[] frame() {
    WireWriter out = new WireWriter();
    begin(out);
    return Arrays.copyOf(out.bytes(), HEADER - FIELDS);
  }

  /** Whether bytes begin with a frame, whatever its numbers. */
  static boolean isFrame(byte[] header) {
    return Arrays.equals(header, 0, FRAME.length, FRAME, 0, FRAME.length);
  }

  /** Where the numbers of a frame that begins there are. */
  static int numbers(int begun) {
    return begun + HEADER - FIELDS;
  }

  /** Where the marker of a frame that begins there is. */
  static int marker(int begun) {
    return begun + 2 + 3;
  }
}
