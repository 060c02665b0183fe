package tracer.perfetto;

/** The numbers of the fields that are written and read, by message. Stateless. */
final class Fields {
  /** Of Trace. */
  static final int PACKET = 1;

  /** Of TracePacket. */
  static final int CLOCK_SNAPSHOT = 6;

  static final int TIMESTAMP = 8;
  static final int SEQUENCE_ID = 10;
  static final int TRACK_EVENT = 11;
  static final int INTERNED_DATA = 12;
  static final int SEQUENCE_FLAGS = 13;
  static final int SYNCHRONIZATION_MARKER = 36;
  static final int PREVIOUS_PACKET_DROPPED = 42;
  static final int TIMESTAMP_CLOCK_ID = 58;
  static final int PACKET_DEFAULTS = 59;
  static final int TRACK_DESCRIPTOR = 60;

  /** Not one of Perfetto's, which passes over it: length and checksum of the chunk. */
  static final int CHUNK = 998;

  static final int STATE_CLEARED = 1;
  static final int NEEDS_STATE = 2;

  /** Of ClockSnapshot and its clocks. */
  static final int CLOCKS = 1;

  static final int CLOCK_ID = 1;
  static final int CLOCK_TIMESTAMP = 2;
  static final int PRIMARY_TRACE_CLOCK = 2;
  static final int REALTIME = 1;
  static final int MONOTONIC = 3;

  /** The first of the clocks that count for one sequence alone. */
  static final int SEQUENCE_CLOCK = 64;

  /** Of TrackEvent. */
  static final int CATEGORY_IIDS = 3;

  static final int DEBUG_ANNOTATIONS = 4;
  static final int TYPE = 9;
  static final int NAME_IID = 10;
  static final int TRACK_UUID = 11;
  static final int COUNTER_VALUE = 30;
  static final int DOUBLE_COUNTER_VALUE = 44;
  static final int FLOW_IDS = 47;
  static final int TERMINATING_FLOW_IDS = 48;

  /** The types of a TrackEvent. */
  static final int SLICE_BEGIN = 1;

  static final int SLICE_END = 2;
  static final int INSTANT = 3;
  static final int COUNTER = 4;

  /** Of DebugAnnotation. */
  static final int ANNOTATION_NAME_IID = 1;

  static final int BOOL_VALUE = 2;
  static final int INT_VALUE = 4;
  static final int DOUBLE_VALUE = 5;
  static final int STRING_VALUE = 6;
  static final int STRING_VALUE_IID = 17;

  /** Of InternedData, and of all that is interned. */
  static final int EVENT_CATEGORIES = 1;

  static final int EVENT_NAMES = 2;
  static final int ANNOTATION_NAMES = 3;
  static final int ANNOTATION_STRINGS = 29;
  static final int IID = 1;
  static final int NAME = 2;

  /** Of TrackDescriptor. */
  static final int UUID = 1;

  static final int TRACK_NAME = 2;
  static final int PROCESS = 3;
  static final int THREAD = 4;
  static final int PARENT_UUID = 5;
  static final int TRACK_COUNTER = 8;

  /** Of CounterDescriptor. */
  static final int UNIT_NAME = 6;

  /** Of ProcessDescriptor and ThreadDescriptor. */
  static final int PID = 1;

  static final int TID = 2;
  static final int THREAD_NAME = 5;
  static final int PROCESS_NAME = 6;
  static final int PROCESS_LABELS = 8;

  private Fields() {}
}
