package eventlog.otlp;

/** How OTLP requests are written. */
public enum OtlpEncoding {
  /** Binary protobuf, which every collector takes. */
  PROTOBUF("http/protobuf", "application/x-protobuf"),
  /** JSON, which is easier to look at. */
  JSON("http/json", "application/json");

  private final String protocol;
  private final String contentType;

  OtlpEncoding(String protocol, String contentType) {
    this.protocol = protocol;
    this.contentType = contentType;
  }

  /** Returns the name that OpenTelemetry's own settings have for it: {@code http/protobuf}. */
  public String protocol() {
    return protocol;
  }

  String contentType() {
    return contentType;
  }
}
