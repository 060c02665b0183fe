package tracer.perfetto;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import tracer.Lane;
import tracer.sink.DataLoss;
import tracer.sink.TraceBatch;
import tracer.sink.TraceStart;

/** Encodes batches and marks as chunks. Not safe for use by many threads. */
final class PacketEncoder {
  private static final int CHUNK_BYTES = 256 * 1024;

  /**
   * A flow this soon after the begin of its span is one of the begin; later it has its own time.
   */
  private static final long AT_ONCE_NANOS = 10_000;

  private final WireWriter out;
  private final TraceOrigin origin;
  private final Introductions introductions;
  private final ValuePackets values;
  private final SpanPackets spans;
  private final OpenSpans open = new OpenSpans();
  private int begun;

  PacketEncoder(WireWriter out, TraceStart start, TraceOrigin origin) {
    this.out = out;
    this.origin = origin;
    this.introductions = new Introductions(out, start, origin);
    this.values = new ValuePackets(out, origin.sequence());
    this.spans = new SpanPackets(out, origin, introductions, values);
  }

  /** The spans that are open in the file. */
  OpenSpans open() {
    return open;
  }

  /** All events of a batch, in one or more chunks. */
  void events(TraceBatch batch) {
    begin(false);
    int category = Introductions.category(batch.lane());
    while (batch.next()) {
      if (out.size() - begun > CHUNK_BYTES) {
        Chunk.end(out, begun);
        begin(false);
      }
      if (!introductions.isLast(batch.threadId())) {
        introductions.thread(batch.threadId(), batch.threadName(), batch.isVirtual());
      }
      event(batch, category);
    }
    Chunk.end(out, begun);
  }

  private void event(TraceBatch batch, int category) {
    switch (batch.phase()) {
      case INSTANT -> {
        if (batch.length() > 0 || batch.lane() != Lane.INDEX) {
          bytes(batch, category);
        } else {
          instant(batch, category);
        }
      }
      case BEGIN -> open.of(batch, spans).begin(batch, spans);
      case END -> open.of(batch, spans).end(batch, spans);
      case ASYNC_BEGIN -> open.async().begin(batch, spans);
      case ASYNC_END -> open.async().end(batch, spans);
      case COUNTER -> counter(batch, category);
      case FLOW -> flow(batch, category, false);
      case FLOW_END -> flow(batch, category, true);
    }
  }

  private void instant(TraceBatch batch, int category) {
    int event = batch.eventId();
    ArgumentCodes arguments = introductions.event(event);
    int count = batch.values();
    long a = batch.a();
    long b = batch.b();
    long c = batch.c();
    long d = batch.d();
    if (arguments.hasStrings) {
      a = count > 0 ? introductions.encoded(arguments, 0, a) : a;
      b = count > 1 ? introductions.encoded(arguments, 1, b) : b;
      c = count > 2 ? introductions.encoded(arguments, 2, c) : c;
      d = count > 3 ? introductions.encoded(arguments, 3, d) : d;
    }
    long track = origin.threadTrack(batch.threadId());
    long time = introductions.timestamp(batch.time());
    int second = introductions.category(arguments);
    values.begin(Fields.INSTANT, event, time, track, category, second);
    values.values(arguments, count, a, b, c, d);
    values.end();
  }

  private void flow(TraceBatch batch, int category, boolean ends) {
    if (batch.time() - batch.began() <= AT_ONCE_NANOS && addToBegin(batch, ends)) {
      return;
    }
    int event = batch.eventId();
    int second = introductions.category(introductions.event(event));
    long track = origin.threadTrack(batch.threadId());
    long time = introductions.timestamp(batch.time());
    values.begin(Fields.INSTANT, event, time, track, category, second);
    values.flow(batch.id(), ends);
    values.end();
  }

  private boolean addToBegin(TraceBatch batch, boolean ends) {
    if (spans.addFlowToLastBegin(batch, ends)) {
      return true;
    }
    OpenSpan held = batch.depth() == 0 ? open.of(batch, spans).heldFor(batch) : null;
    return held != null && held.keepFlow(batch.id(), ends);
  }

  private void counter(TraceBatch batch, int category) {
    int second = introductions.category(introductions.event(batch.eventId()));
    long track = introductions.counter(batch.eventId());
    int packet = out.begin(Fields.PACKET);
    packetHead(batch.time());
    int event = out.begin(Fields.TRACK_EVENT);
    out.field(Fields.CATEGORY_IIDS, category);
    out.field(Fields.CATEGORY_IIDS, second);
    out.field(Fields.TYPE, Fields.COUNTER);
    out.field(Fields.TRACK_UUID, track);
    if (batch.isDouble()) {
      out.fixedField(Fields.DOUBLE_COUNTER_VALUE, batch.a());
    } else {
      out.field(Fields.COUNTER_VALUE, batch.a());
    }
    out.end(event);
    out.end(packet);
  }

  /** What is known of open spans when all that was recorded before has come, as a chunk. */
  void flush() {
    begin(false);
    open.flush(spans);
    Chunk.end(out, begun);
  }

  /** Ends whose begins were dropped, as many as a chunk should have. */
  void asyncFlush() {
    begin(false);
    open.async().flush(spans);
    Chunk.end(out, begun);
  }

  /** What is not written yet of open spans, since no more comes, as a chunk. */
  void finish() {
    begin(false);
    open.finish(spans);
    Chunk.end(out, begun);
  }

  /** The ends of all that is open, since the file ends, as a chunk. */
  void endFile() {
    begin(false);
    open.endFile(spans);
    Chunk.end(out, begun);
  }

  /** The begins of all that is open, in a new file, as a chunk. */
  void beginFile() {
    begin(false);
    open.beginFile(spans);
    Chunk.end(out, begun);
  }

  /** The mark of lost events, as a chunk. */
  void loss(DataLoss loss) {
    begin(true);
    introductions.loss();
    long track = origin.lossTrack();
    if (loss.threadId() > 0) {
      track = origin.threadTrack(loss.threadId());
      introductions.thread(loss.threadId(), loss.threadName(), false);
    }
    int packet = out.begin(Fields.PACKET);
    packetHead(loss.from());
    int event = out.begin(Fields.TRACK_EVENT);
    out.field(Fields.CATEGORY_IIDS, Introductions.category(loss.lane()));
    eventHead(Introductions.LOSS_NAME, track);
    number("count", loss.count());
    text("reason", loss.reason().code());
    text("lane", loss.lane().name());
    number("nanos", loss.to() - loss.from());
    out.end(event);
    out.end(packet);
    Chunk.end(out, begun);
  }

  private void begin(boolean afterLoss) {
    begun = out.size();
    Chunk.begin(out);
    introductions.begin(afterLoss);
    spans.chunkBegins();
  }

  private void bytes(TraceBatch batch, int category) {
    int second = introductions.category(introductions.event(batch.eventId()));
    byte[] content = new byte[batch.length()];
    batch.copyBytes(content, 0);
    int packet = out.begin(Fields.PACKET);
    packetHead(batch.time());
    int event = out.begin(Fields.TRACK_EVENT);
    out.field(Fields.CATEGORY_IIDS, category);
    out.field(Fields.CATEGORY_IIDS, second);
    eventHead(batch.eventId(), origin.threadTrack(batch.threadId()));
    if (isText(content)) {
      annotation("text", content);
    } else {
      text("hex", HexFormat.of().formatHex(content));
    }
    out.end(event);
    out.end(packet);
  }

  private static boolean isText(byte[] content) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private void packetHead(long time) {
    out.field(Fields.TIMESTAMP, introductions.timestamp(time));
    out.field(Fields.SEQUENCE_ID, origin.sequence());
    out.field(Fields.SEQUENCE_FLAGS, Fields.NEEDS_STATE);
  }

  private void eventHead(long name, long track) {
    out.field(Fields.TYPE, Fields.INSTANT);
    out.field(Fields.NAME_IID, name);
    out.field(Fields.TRACK_UUID, track);
  }

  private void number(String name, long value) {
    int annotation = out.beginSmall(Fields.DEBUG_ANNOTATIONS);
    out.field(Fields.ANNOTATION_NAME_IID, ArgumentCodes.number(name));
    out.field(Fields.INT_VALUE, value);
    out.endSmall(annotation);
  }

  private void text(String name, String value) {
    annotation(name, value.getBytes(StandardCharsets.UTF_8));
  }

  private void annotation(String name, byte[] value) {
    int annotation = out.begin(Fields.DEBUG_ANNOTATIONS);
    out.field(Fields.ANNOTATION_NAME_IID, ArgumentCodes.number(name));
    out.field(Fields.STRING_VALUE, value);
    out.end(annotation);
  }
}
