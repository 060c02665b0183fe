/** Payloads of outbox and event bus as JSON, by Jackson. */
module io.holdfast.jackson {
  requires transitive io.holdfast.core;
  requires tools.jackson.core;
  requires transitive tools.jackson.databind;
  requires static org.jspecify;

  exports holdfast.jackson;

  provides holdfast.payload.PayloadMapper with
      holdfast.jackson.JacksonPayloadMapper;
}
