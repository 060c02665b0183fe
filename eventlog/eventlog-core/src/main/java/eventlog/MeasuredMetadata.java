package eventlog;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an event, perhaps none, and the size of the event, which is measured once: the
 * hot path that logs the event only reads it. A record has no other place for it. Immutable; never
 * shown to anybody, since the accessor of the event gives the metadata alone.
 */
final class MeasuredMetadata extends AbstractMap<String, Object> {
  private final @Nullable Map<String, Object> metadata;
  private final int eventBytes;

  MeasuredMetadata(@Nullable Map<String, Object> metadata, int eventBytes) {
    this.metadata = metadata;
    this.eventBytes = eventBytes;
  }

  static @Nullable Map<String, Object> copy(@Nullable Map<String, Object> map) {
    return map == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  /** The metadata; null if there is none. */
  @Nullable Map<String, Object> metadata() {
    return metadata;
  }

  int eventBytes() {
    return eventBytes;
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return metadata == null ? Set.of() : metadata.entrySet();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MeasuredMetadata measured
        && Objects.equals(metadata, measured.metadata);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(metadata);
  }
}
