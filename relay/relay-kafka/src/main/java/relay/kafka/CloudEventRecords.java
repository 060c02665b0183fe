package relay.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import holdfast.json.StringMapJson;
import java.net.URI;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/**
 * Makes records of events, as the Kafka binding of CloudEvents 1.0 says: in binary mode attributes
 * are headers and the payload is the value; in structured mode both are one JSON object. The
 * event's own headers are headers of the record in both. Immutable; safe for use by many threads.
 *
 * @param topics finds the topic
 * @param source the attribute {@code source} of all events
 * @param key finds the key of the record, which is the attribute {@code partitionkey} too
 * @param dataSchema finds the schema of the payload
 * @param isStructured whether records are in structured mode
 */
record CloudEventRecords(
    TopicRouting topics,
    URI source,
    Function<EventEnvelope, @Nullable String> key,
    Function<EventEnvelope, @Nullable URI> dataSchema,
    boolean isStructured) {

  private static final String PREFIX = "ce_";
  private static final String CONTENT_TYPE = "content-type";
  private static final String JSON = "application/json";
  private static final String BYTES = "application/octet-stream";
  private static final String STRUCTURED = "application/cloudevents+json; charset=UTF-8";

  /** The record of an event. */
  ProducerRecord<String, byte[]> of(EventEnvelope event) throws RefusedEventException {
    String topic = topics.topicOf(event);
    String recordKey = key.apply(event);
    Map<String, String> attributes = attributes(event, recordKey);
    Headers headers = new RecordHeaders();
    byte[] value;
    if (isStructured) {
      attributes.put("datacontenttype", contentType(event));
      value = structured(attributes, event);
      headers.add(CONTENT_TYPE, STRUCTURED.getBytes(UTF_8));
    } else {
      attributes.forEach((name, text) -> headers.add(PREFIX + name, text.getBytes(UTF_8)));
      value = payload(event);
      headers.add(CONTENT_TYPE, contentType(event).getBytes(UTF_8));
    }
    addOwn(event, headers);
    return new ProducerRecord<>(topic, null, null, recordKey, value, headers);
  }

  private Map<String, String> attributes(EventEnvelope event, @Nullable String recordKey) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("specversion", "1.0");
    attributes.put("id", event.eventId());
    attributes.put("source", source.toString());
    attributes.put("type", event.eventType());
    attributes.put("time", event.occurredAt().toString());
    put(attributes, "subject", event.aggregateId());
    put(attributes, "partitionkey", recordKey);
    URI schema = dataSchema.apply(event);
    put(attributes, "dataschema", schema == null ? null : schema.toString());
    put(attributes, "aggregatetype", event.aggregateType());
    put(attributes, "tenantid", event.tenantId());
    put(attributes, "traceparent", event.headers().get("traceparent"));
    put(attributes, "tracestate", event.headers().get("tracestate"));
    return attributes;
  }

  /** CloudEvents knows no empty attributes. */
  private static void put(Map<String, String> attributes, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      attributes.put(name, value);
    }
  }

  private static String contentType(EventEnvelope event) {
    for (Map.Entry<String, String> header : event.headers().entrySet()) {
      if (header.getKey().equalsIgnoreCase(CONTENT_TYPE)) {
        return header.getValue();
      }
    }
    return event.payloadJson() == null ? BYTES : JSON;
  }

  private static byte[] payload(EventEnvelope event) {
    byte[] bytes = event.payloadBytes();
    return bytes == null ? String.valueOf(event.payloadJson()).getBytes(UTF_8) : bytes;
  }

  private static byte[] structured(Map<String, String> attributes, EventEnvelope event) {
    String object = StringMapJson.write(attributes);
    byte[] bytes = event.payloadBytes();
    String data =
        bytes == null
            ? ",\"data\":" + event.payloadJson()
            : ",\"data_base64\":\"" + Base64.getEncoder().encodeToString(bytes) + '"';
    return (object.substring(0, object.length() - 1) + data + '}').getBytes(UTF_8);
  }

  /** A consumer must be able to rely on the attributes: they win over headers of their names. */
  private static void addOwn(EventEnvelope event, Headers headers) {
    event
        .headers()
        .forEach(
            (name, value) -> {
              if (!name.equalsIgnoreCase(CONTENT_TYPE) && headers.lastHeader(name) == null) {
                headers.add(name, value.getBytes(UTF_8));
              }
            });
  }
}
