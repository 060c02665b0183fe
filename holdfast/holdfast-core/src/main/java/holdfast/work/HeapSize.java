package holdfast.work;

import java.util.Map;

/** Estimates how many bytes of memory an event takes while it is in flight. Stateless. */
public final class HeapSize {
  /** What an event takes beside its texts: its objects, and its places in queues and maps. */
  public static final int PER_EVENT = 512;

  /** How many characters of a text are looked at, at most. */
  private static final int SAMPLE = 1_024;

  private static final char LAST_OF_LATIN_1 = 0xFF;

  private HeapSize() {}

  /**
   * Returns the bytes of a text: the JVM takes two for each character, unless all are in Latin-1.
   * Of long texts only some characters are read.
   */
  public static long of(String text) {
    int step = 1 + text.length() / SAMPLE;
    for (int i = 0; i < text.length(); i += step) {
      if (text.charAt(i) > LAST_OF_LATIN_1) {
        return 2L * text.length();
      }
    }
    return text.length();
  }

  /** Returns the bytes of the names and values of headers. */
  public static long of(Map<String, String> headers) {
    long bytes = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      bytes += of(header.getKey()) + of(header.getValue());
    }
    return bytes;
  }
}
