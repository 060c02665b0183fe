package relay.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/**
 * The topics of events: one that was named for the type, otherwise what the template or the
 * function gives. Immutable; safe for use by many threads if the function is.
 */
final class TopicRouting {
  private static final int LONGEST_NAME = 249;
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]+");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)\\}");
  private static final Set<String> FIELDS = Set.of("type", "aggregateType", "tenant");

  private final Map<String, String> byType;
  private final Function<EventEnvelope, @Nullable String> others;

  private TopicRouting(
      Map<String, String> byType, Function<EventEnvelope, @Nullable String> others) {
    this.byType = byType;
    this.others = others;
  }

  static TopicRouting of(String template) {
    return new TopicRouting(Map.of(), event -> filled(template, event));
  }

  static TopicRouting of(Function<EventEnvelope, @Nullable String> function) {
    return new TopicRouting(Map.of(), function);
  }

  /** A routing with these topics for their types. */
  TopicRouting with(Map<String, String> topics) {
    return new TopicRouting(new HashMap<>(topics), others);
  }

  /** Returns what is wrong with a template; null if nothing is. */
  static @Nullable String mistakeIn(String template) {
    Matcher placeholder = PLACEHOLDER.matcher(template);
    while (placeholder.find()) {
      if (!FIELDS.contains(placeholder.group(1))) {
        return "topic must have no placeholders but {type}, {aggregateType} and {tenant} but was '"
            + template
            + "'";
      }
    }
    String text = placeholder.replaceAll("x");
    return isName(text)
        ? null
        : "topic must have only letters, digits, '.', '_', '-' and placeholders, "
            + LONGEST_NAME
            + " characters at most, but was '"
            + template
            + "'";
  }

  /** Returns the topic of an event, which may not exist. */
  String topicOf(EventEnvelope event) throws RefusedEventException {
    String named = byType.get(event.eventType());
    String topic = named == null ? fill(others, event) : fill(e -> filled(named, e), event);
    if (topic == null || !isName(topic)) {
      throw new RefusedEventException(
          FailureReason.INVALID_TOPIC,
          "the topic of type '"
              + event.eventType()
              + "' must have 1 to "
              + LONGEST_NAME
              + " letters, digits, '.', '_' and '-' but was '"
              + topic
              + "'; name one with topic(\"type\", \"topic\")",
          null);
    }
    return topic;
  }

  private static @Nullable String fill(
      Function<EventEnvelope, @Nullable String> finder, EventEnvelope event)
      throws RefusedEventException {
    try {
      return finder.apply(event);
    } catch (MissingFieldException e) {
      throw new RefusedEventException(
          FailureReason.INVALID_TOPIC, String.valueOf(e.getMessage()), null);
    }
  }

  private static boolean isName(String topic) {
    return topic.length() <= LONGEST_NAME
        && NAME.matcher(topic).matches()
        && !topic.equals(".")
        && !topic.equals("..");
  }

  private static String filled(String template, EventEnvelope event) {
    return PLACEHOLDER
        .matcher(template)
        .replaceAll(found -> Matcher.quoteReplacement(field(template, found.group(1), event)));
  }

  private static String field(String template, String name, EventEnvelope event) {
    String value =
        switch (name) {
          case "type" -> event.eventType();
          case "aggregateType" -> event.aggregateType();
          default -> event.tenantId();
        };
    if (value == null) {
      throw new MissingFieldException(
          "the topic '"
              + template
              + "' needs {"
              + name
              + "} but the event has none; publish the event with it, or name a topic for type '"
              + event.eventType()
              + "'");
    }
    return value;
  }

  private static final class MissingFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MissingFieldException(String message) {
      super(message);
    }
  }
}
