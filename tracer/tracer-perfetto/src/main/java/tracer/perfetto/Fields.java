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
  static final int TRACK_DESCRIPTOR = 60;

  /** Not one of Perfetto's, which passes over it: length and checksum of the chunk. */
  static final int CHUNK = 998;

  static final int STATE_CLEARED = 1;
  static final int NEEDS_STATE = 2;

  /** Of ClockSnapshot and its clocks. */
  static final int CLOCKS = 1;

  static final int CLOCK_ID = 1;
  static final int CLOCK_TIMESTAMP = 2;
  static final int REALTIME = 1;
  static final int BOOTTIME = 6;

  /** Of TrackEvent. */
  static final int CATEGORY_IIDS = 3;

  static final int DEBUG_ANNOTATIONS = 4;
  static final int TYPE = 9;
  static final int NAME_IID = 10;
  static final int TRACK_UUID = 11;
  static final int INSTANT = 3;

  /** Of DebugAnnotation. */
  static final int ANNOTATION_NAME_IID = 1;

  static final int INT_VALUE = 4;
  static final int STRING_VALUE = 6;

  /** Of InternedData, and of all that is interned. */
  static final int EVENT_CATEGORIES = 1;

  static final int EVENT_NAMES = 2;
  static final int ANNOTATION_NAMES = 3;
  static final int IID = 1;
  static final int NAME = 2;

  /** Of TrackDescriptor. */
  static final int UUID = 1;

  static final int TRACK_NAME = 2;
  static final int PROCESS = 3;
  static final int THREAD = 4;
  static final int PARENT_UUID = 5;

  /** Of ProcessDescriptor and ThreadDescriptor. */
  static final int PID = 1;

  static final int TID = 2;
  static final int THREAD_NAME = 5;
  static final int PROCESS_NAME = 6;

  private Fields() {}
}
