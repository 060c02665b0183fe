package eventlog.spi;

import eventlog.EventLogEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Masks fields by name. Immutable. */
final class FieldRedaction implements Redaction {
  private final FieldNames names;
  private final TextRedaction texts;
  private final FreeTextRedaction freeTexts;

  FieldRedaction(FieldNames names) {
    this.names = names;
    this.texts = new TextRedaction(names);
    this.freeTexts = new FreeTextRedaction(names, texts);
  }

  @Override
  public EventLogEntry redact(EventLogEntry event) {
    if (names.isEmpty()) {
      return event;
    }
    String summary = freeTexts.redact(event.summary());
    String result = freeTexts.redact(event.result());
    String endpoint = freeText(event.endpoint());
    String error = freeText(event.errorMessage());
    String request = payload(event.requestPayload());
    String response = payload(event.responsePayload());
    Map<String, Object> metadata = fields(event.metadata());
    Map<String, Object> identifiers = fields(event.identifiers());
    boolean same =
        isSame(summary, event.summary())
            && isSame(result, event.result())
            && isSame(endpoint, event.endpoint())
            && isSame(error, event.errorMessage())
            && isSame(request, event.requestPayload())
            && isSame(response, event.responsePayload())
            && isSame(metadata, event.metadata())
            && isSame(identifiers, event.identifiers());
    if (same) {
      return event;
    }
    return event.toBuilder()
        .idempotencyKey(event.idempotencyKey())
        .summary(summary)
        .result(result)
        .endpoint(endpoint)
        .errorMessage(error)
        .requestPayload(request)
        .responsePayload(response)
        .metadata(metadata)
        .identifiers(identifiers)
        .build();
  }

  /** Whether it is the very same object: what was not touched is handed on as it came. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(@Nullable Object one, @Nullable Object other) {
    return one == other;
  }

  private @Nullable String freeText(@Nullable String text) {
    return text == null ? null : freeTexts.redact(text);
  }

  private @Nullable String payload(@Nullable String text) {
    return text == null ? null : texts.payload(text);
  }

  private @Nullable Map<String, Object> fields(@Nullable Map<String, Object> map) {
    return map == null ? null : map(map, 0);
  }

  @SuppressWarnings({"NullAway", "unchecked"}) // values may be null; what is unchanged is as it was
  private Map<String, Object> map(Map<?, ?> map, int level) {
    Map<String, Object> redacted = new LinkedHashMap<>();
    boolean changed = false;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = String.valueOf(entry.getKey());
      Object value = entry.getValue();
      Object shown = value != null && names.has(name) ? MASK : value(value, level);
      changed |= !isSame(shown, value);
      redacted.put(name, shown);
    }
    return changed ? redacted : (Map<String, Object>) map;
  }

  @SuppressWarnings("NullAway") // elements may be null
  private Collection<?> list(Collection<?> list, int level) {
    List<Object> redacted = new ArrayList<>(list.size());
    boolean changed = false;
    for (Object element : list) {
      Object shown = value(element, level);
      changed |= !isSame(shown, element);
      redacted.add(shown);
    }
    return changed ? redacted : list;
  }

  private @Nullable Object value(@Nullable Object value, int level) {
    if (level > JsonValues.MOST_LEVELS) {
      throw new IllegalArgumentException("values are nested too deep, or contain themselves");
    }
    if (value == null || value instanceof Number || value instanceof Boolean) {
      return value;
    }
    if (value instanceof String text) {
      return freeTexts.redact(text);
    }
    if (value instanceof Map<?, ?> map) {
      return map(map, level + 1);
    }
    if (value instanceof Collection<?> list) {
      return list(list, level + 1);
    }
    if (value instanceof Instant) {
      return value;
    }
    // An object of the application's: its fields show only in its JSON.
    return value(JsonValues.plain(value), level + 1);
  }
}
