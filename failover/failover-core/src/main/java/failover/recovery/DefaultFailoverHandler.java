package failover.recovery;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.FailureReason;
import failover.codec.PayloadCodec;
import failover.key.StoreKey;
import failover.observe.PointStatistics;
import failover.observe.StateLog;
import failover.store.FailoverStore;
import failover.store.FailoverStoreException;
import failover.store.Payload;
import failover.store.ReferentialPayload;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.lang.System.Logger.Level;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One stored answer for each call. Safe for use by many threads. */
public final class DefaultFailoverHandler implements FailoverHandler {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final FailoverStore store;
  private final PayloadCodec codec;
  private final Function<String, PointStatistics> statistics;
  private final StateLog writing;
  private final StateLog reading;
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet(); // points, each told once

  /**
   * A handler.
   *
   * @param store where answers are kept
   * @param codec how they are written
   * @param time the clock
   * @param statistics the counters of a point
   */
  public DefaultFailoverHandler(
      FailoverStore store,
      PayloadCodec codec,
      TimeSource time,
      Function<String, PointStatistics> statistics) {
    this.store = store;
    this.codec = codec;
    this.statistics = statistics;
    this.writing = new StateLog(time);
    this.reading = new StateLog(time);
  }

  @Override
  public <T> boolean store(FailoverCall<T> call, @Nullable T answer) {
    FailoverSpec<T> spec = call.spec();
    PointStatistics counters = statistics.apply(spec.name());
    StoreKey key = call.key();
    try {
      Labels.live(answer, call.startedAt());
      if (key == null || (answer == null && !spec.tombstones())) {
        return false;
      }
      store.store(
          new ReferentialPayload(
              key,
              call.startedAt(),
              spec.expiryPolicy().computeExpiry(spec, call.startedAt()),
              payload(spec, answer)));
      counters.count(PointStatistics.Count.STORED);
      writing.well(() -> "failover stores answers again name=" + spec.name());
      return true;
    } catch (RuntimeException | Error e) { // the call has its answer, and that is what counts
      counters.count(PointStatistics.Count.STORE_FAILED);
      writing.trouble(
          () ->
              "failover cannot store answers name="
                  + spec.name()
                  + FailoverStoreException.reason(e),
          e);
      return false;
    }
  }

  private Payload payload(FailoverSpec<?> spec, @Nullable Object answer) {
    Type type = spec.type();
    String typeName = type.getTypeName();
    if (answer == null) {
      return Payload.tombstone(typeName, spec.schemaVersion());
    }
    if (spec.cannotChange()) {
      return Payload.ofValue(
          typeName, spec.schemaVersion(), answer, () -> codec.encode(answer, type));
    }
    return Payload.ofBytes(typeName, spec.schemaVersion(), codec.encode(answer, type));
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
      reading.well(() -> "failover reads answers again name=" + spec.name());
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
      reading.trouble(
          () ->
              "failover cannot read answers name="
                  + call.spec().name()
                  + FailoverStoreException.reason(e),
          e);
      return new Recovery.Missing<>(FailureReason.STORE_FAILED, e);
    }
  }

  /** Why a stored answer is not given; null if it is. */
  private static @Nullable FailureReason whyNot(
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

  private <T> Recovery<T> decode(FailoverCall<T> call, ReferentialPayload stored, Throwable cause) {
    FailoverSpec<T> spec = call.spec();
    Payload payload = stored.payload();
    try {
      if (payload.schemaVersion() != spec.schemaVersion()) {
        return unreadable(spec, null);
      }
      Object value =
          payload.value().isPresent() && payload.type().equals(spec.type().getTypeName())
              ? payload.value().get()
              : codec.decode(payload.bytes(), spec.type());
      Labels.recovered(value, stored.asOf(), cause);
      @SuppressWarnings("unchecked") // read as the type of the spec, or kept from a call of it
      T answer = (T) value;
      return new Recovery.Found<>(answer, stored.asOf());
    } catch (RuntimeException | Error e) {
      return unreadable(spec, e);
    }
  }

  private <T> Recovery<T> unreadable(FailoverSpec<T> spec, @Nullable Throwable why) {
    statistics.apply(spec.name()).count(PointStatistics.Count.UNREADABLE);
    if (unreadable.add(spec.name())) {
      LOGGER.log(
          Level.WARNING,
          "failover stored answers cannot be read and count as missing until they are replaced name="
              + spec.name()
              + " cause="
              + (why == null ? "another schema version" : why));
    }
    return new Recovery.Missing<>(FailureReason.UNREADABLE, why);
  }
}
