package tracer.perfetto;

import java.util.List;
import tracer.ArgumentType;
import tracer.TraceArgument;
import tracer.TraceEvent;

/**
 * How the values of a kind of event are encoded: the bytes before each, prepared once. Confined to
 * its encoder.
 */
final class ArgumentCodes {
  /*
   * debug_annotation { name_iid, value }: tag, length, tag of the name, its number, tag of the value.
   * That is eight bytes at most, so one store writes them; the length is filled in afterwards.
   */
  static final int MOST = 4;

  /** The number that stands for the first interned string; notes have those before. */
  static final long FIRST_STRING = 16;

  /** The names of the annotations that any event may have, and their numbers less one. */
  static final List<String> NAMES =
      List.of(
          "a", "b", "c", "text", "hex", "count", "reason", "lane", "nanos", "d", "id", "begin",
          "end");

  /** The number that stands for the first declared name. */
  private static final long FIRST_DECLARED = 32;

  private static final int LENGTH = 2;
  private static final int FIXED64 = 1;
  private static final List<String> UNDECLARED = List.of("a", "b", "c", "d");

  final List<TraceArgument> declared;
  final boolean hasStrings;
  final long[] prefixes = new long[MOST];
  final int[] sizes = new int[MOST];
  final ArgumentType[] types = new ArgumentType[MOST];
  final int category;
  private final int event;

  /**
   * The codes of a kind.
   *
   * @param category the number that stands for its category
   */
  ArgumentCodes(TraceEvent event, int category) {
    this.event = event.id();
    this.category = category;
    this.declared = event.arguments();
    boolean strings = false;
    for (int i = 0; i < MOST; i++) {
      types[i] = i < declared.size() ? declared.get(i).type() : ArgumentType.LONG;
      strings |= types[i] == ArgumentType.INTERNED_STRING;
      prepare(i);
    }
    this.hasStrings = strings;
  }

  /** The category of the kind. */
  String categoryName() {
    return TraceEvent.withId(event).category();
  }

  /** The number that stands for the name of a declared argument. */
  long name(int index) {
    return index < declared.size()
        ? FIRST_DECLARED + (long) event * MOST + index
        : number(UNDECLARED.get(index));
  }

  /** The number of an annotation that any event may have. */
  static long number(String name) {
    return NAMES.indexOf(name) + 1L;
  }

  private void prepare(int index) {
    byte[] bytes = new byte[Long.BYTES];
    int at = 0;
    bytes[at++] = (byte) (Fields.DEBUG_ANNOTATIONS << 3 | LENGTH);
    at++;
    bytes[at++] = (byte) (Fields.ANNOTATION_NAME_IID << 3);
    at = ValuePackets.byteByByte(bytes, at, name(index));
    at = ValuePackets.byteByByte(bytes, at, tag(types[index]));
    long prefix = 0;
    for (int i = Long.BYTES - 1; i >= 0; i--) {
      prefix = (prefix << Byte.SIZE) | (bytes[i] & 0xFF);
    }
    prefixes[index] = prefix;
    sizes[index] = at;
  }

  private static int tag(ArgumentType type) {
    return switch (type) {
      case LONG -> Fields.INT_VALUE << 3;
      case DOUBLE -> Fields.DOUBLE_VALUE << 3 | FIXED64;
      case BOOLEAN -> Fields.BOOL_VALUE << 3;
      case INTERNED_STRING -> Fields.STRING_VALUE_IID << 3;
    };
  }
}
