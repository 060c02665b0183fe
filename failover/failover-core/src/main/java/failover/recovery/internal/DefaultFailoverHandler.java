package failover.recovery.internal;

import failover.FailoverCall;
import failover.FailoverOutcome.FailureReason;
import failover.FailoverSpec;
import failover.codec.PayloadCodec;
import failover.codec.PayloadCodec.CodecException;
import failover.key.StoreKey;
import failover.observe.internal.PointStatistics;
import failover.observe.internal.StateLog;
import failover.recovery.FailoverHandler;
import failover.recovery.FailoverHandler.Recovery;
import failover.store.FailoverStore;
import failover.store.FailoverStoreException;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import failover.store.encryption.UnreadableContentException;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.lang.System.Logger.Level;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One stored answer for each call. Safe for use by many threads. */
public final class DefaultFailoverHandler implements FailoverHandler, AutoCloseable {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final FailoverStore store;
  private final StoreWrites writes;
  private final PayloadCodec codec;
  private final Function<FailoverSpec<?>, PointStatistics> statistics;
  private final StateLog writing;
  private final StateLog reading;

  /** Points and reasons, each told once. */
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

  /**
   * A handler.
   *
   * @param store where answers are kept
   * @param context carries what hangs on a thread to the one that writes
   * @param codec how answers are written
   * @param time the clock
   * @param statistics the counters of a point
   */
  public DefaultFailoverHandler(
      FailoverStore store,
      UnaryOperator<Runnable> context,
      PayloadCodec codec,
      TimeSource time,
      Function<FailoverSpec<?>, PointStatistics> statistics) {
    this.store = store;
    this.writes = new StoreWrites(store, context, time);
    this.codec = codec;
    this.statistics = statistics;
    this.writing = new StateLog(time);
    this.reading = new StateLog(time);
  }

  /** The same store for answers that are kept in slices. */
  StoredSlices slices() {
    return new StoredSlices(store, writes, this, statistics);
  }

  @Override
  public <T> boolean store(FailoverCall<T> call, @Nullable T answer, Duration waits) {
    FailoverSpec<T> spec = call.spec();
    PointStatistics counters = statistics.apply(spec);
    StoreKey key = call.key();
    try {
      Payload payload = payloadOfLive(call, answer);
      if (key == null || payload == null) {
        return false;
      }
      writes.write(stored(call, key, payload), waits);
      counters.count(PointStatistics.Count.STORED);
      writesWell(spec);
      return true;
    } catch (RuntimeException | Error e) { // the call has its answer, and that is what counts
      counters.count(PointStatistics.Count.STORE_FAILED);
      writesFail(spec, e);
      return false;
    }
  }

  static <T> ReferentialPayload stored(FailoverCall<T> call, StoreKey key, Payload payload) {
    FailoverSpec<T> spec = call.spec();
    Instant expireOn = spec.expiryPolicy().computeExpiry(spec, call.startedAt());
    return new ReferentialPayload(key, call.startedAt(), expireOn, payload);
  }

  void writesWell(FailoverSpec<?> spec) {
    writing.well(() -> "failover stores answers again name=" + spec.name());
  }

  void writesFail(FailoverSpec<?> spec, Throwable e) {
    writing.troubleOf(
        spec.name(),
        () ->
            "failover cannot store answers name="
                + spec.name()
                + (e instanceof CodecException
                    ? " reason=" + e.getMessage()
                    : FailoverStoreException.reason(e)),
        e);
  }

  void readsWell(FailoverSpec<?> spec) {
    reading.well(() -> "failover reads answers again name=" + spec.name());
  }

  void readsFail(FailoverSpec<?> spec, Throwable e) {
    reading.troubleOf(
        spec.name(),
        () -> "failover cannot read answers name=" + spec.name() + FailoverStoreException.reason(e),
        e);
  }

  /** Before the answer gets its age: only what the source said is stored. */
  <T> @Nullable Payload payloadOfLive(FailoverCall<T> call, @Nullable T answer) {
    try {
      return call.key() != null && isKept(call.spec(), answer)
          ? payload(call.spec(), answer)
          : null;
    } finally {
      FreshnessLabels.live(answer, call.startedAt());
    }
  }

  private static <T> boolean isKept(FailoverSpec<T> spec, @Nullable T answer) {
    return answer == null ? spec.tombstones() : spec.keeps(answer);
  }

  private Payload payload(FailoverSpec<?> spec, @Nullable Object answer) {
    Type type = spec.type();
    String typeName = spec.typeName();
    if (answer == null) {
      return Payload.tombstone(typeName, spec.schemaVersion());
    }
    if (spec.cannotChange() && codec.isExact(type)) {
      return Payload.ofValue(
          typeName, spec.schemaVersion(), answer, () -> codec.encode(answer, type));
    }
    FreshnessLabels.neutral(answer);
    return Payload.ofOwnBytes(typeName, spec.schemaVersion(), codec.encode(answer, type));
  }

  @Override
  public <T> @Nullable Recovery<T> recoverAtOnce(
      FailoverCall<T> call, Throwable cause, Instant now) {
    StoreKey key = call.key();
    try {
      if (key == null || store.isInProcess()) {
        return recover(call, cause, now);
      }
      ReferentialPayload near = store.findNear(key).orElse(null);
      return near == null || whyNot(call.spec(), near, now) != null
          ? null
          : decode(call, near, cause);
    } catch (RuntimeException | Error e) { // reading it all fails for the same reason, and is told
      return null;
    }
  }

  @Override
  public <T> Recovery<T> recover(FailoverCall<T> call, Throwable cause, Instant now) {
    StoreKey key = call.key();
    if (key == null) {
      return new Recovery.Missing<>(FailureReason.UNKEYABLE, null);
    }
    try {
      FailoverSpec<T> spec = call.spec();
      Optional<ReferentialPayload> found = store.find(key);
      readsWell(spec);
      if (found.isEmpty()) {
        return new Recovery.Missing<>(FailureReason.NOTHING_STORED, null);
      }
      ReferentialPayload stored = found.get();
      FailureReason whyNot = whyNot(spec, stored, now);
      if (whyNot != null) {
        stored = newest(stored);
        whyNot = whyNot(spec, stored, now);
      }
      return whyNot == null ? decode(call, stored, cause) : new Recovery.Missing<>(whyNot, null);
    } catch (RuntimeException | Error e) {
      readsFail(call.spec(), e);
      return new Recovery.Missing<>(FailureReason.STORE_FAILED, e);
    }
  }

  /** Why a stored answer is not given; null if it is. */
  static @Nullable FailureReason whyNot(
      FailoverSpec<?> spec, ReferentialPayload stored, Instant now) {
    if (stored.payload().isTombstone()) {
      return FailureReason.NOTHING_STORED;
    }
    return spec.expiryPolicy().isExpired(spec, stored, now) ? FailureReason.EXPIRED : null;
  }

  /** What others have stored since, if this is a copy. */
  private ReferentialPayload newest(ReferentialPayload found) {
    return store.findBehind(found.key()).filter(behind -> behind.replaces(found)).orElse(found);
  }

  <T> Recovery<T> decode(FailoverCall<T> call, ReferentialPayload stored, Throwable cause) {
    FailoverSpec<T> spec = call.spec();
    Payload payload = stored.payload();
    try {
      if (payload.schemaVersion() != spec.schemaVersion()) {
        return unreadable(spec, null);
      }
      Object value = value(payload, spec);
      FreshnessLabels.recovered(value, stored.asOf(), cause);
      @SuppressWarnings("unchecked") // read as the type of the spec, or kept from a call of it
      T answer = (T) value;
      return new Recovery.Found<>(answer, stored.asOf());
    } catch (RuntimeException | Error e) {
      return unreadable(spec, e);
    }
  }

  private Object value(Payload payload, FailoverSpec<?> spec) {
    Type type = spec.type();
    if (!payload.isOwn() || !payload.type().equals(spec.typeName())) {
      return codec.decode(payload.bytes(), type);
    }
    Optional<Object> kept = payload.value();
    return kept.isPresent() ? kept.get() : codec.decodeOwn(payload.bytes(), type);
  }

  private <T> Recovery<T> unreadable(FailoverSpec<T> spec, @Nullable Throwable why) {
    statistics.apply(spec).count(PointStatistics.Count.UNREADABLE);
    String reason =
        why instanceof UnreadableContentException content ? content.reason().code() : "";
    if (unreadable.add(spec.name() + '|' + reason)) {
      LOGGER.log(
          Level.WARNING,
          "failover stored answers cannot be read and count as missing until they are replaced"
              + " name="
              + spec.name()
              + " cause="
              + (why == null ? "another schema version" : why));
    }
    return new Recovery.Missing<>(FailureReason.UNREADABLE, why);
  }

  /** Lets threads that write end soon; a write that hangs is not waited for. */
  @Override
  public void close() {
    writes.close();
  }
}
