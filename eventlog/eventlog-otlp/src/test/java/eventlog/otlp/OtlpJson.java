package eventlog.otlp;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.ObjectMapper;

/**
 * The JSON of a message by the rules of OTLP, made from OpenTelemetry's definitions: names in lower
 * camel case, numbers of 64 bits as texts, bytes as hexadecimal digits, enums as numbers.
 * Stateless.
 */
final class OtlpJson {
  private OtlpJson() {}

  static String of(Message message) {
    return message.getAllFields().entrySet().stream()
        .map(
            field ->
                quoted(field.getKey().getJsonName()) + ":" + of(field.getKey(), field.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String of(FieldDescriptor field, Object value) {
    if (value instanceof List<?> list) {
      return list.stream()
          .map(each -> single(field, each))
          .collect(Collectors.joining(",", "[", "]"));
    }
    return single(field, value);
  }

  private static String single(FieldDescriptor field, Object value) {
    if (value instanceof Message message) {
      return of(message);
    }
    return switch (field.getJavaType()) {
      case LONG ->
          quoted(field.getName().endsWith("nano") ? Long.toUnsignedString((Long) value) : value);
      case BYTE_STRING -> quoted(HexFormat.of().formatHex(((ByteString) value).toByteArray()));
      case ENUM -> String.valueOf(((EnumValueDescriptor) value).getNumber());
      case DOUBLE -> Double.isFinite((Double) value) ? value.toString() : quoted(value);
      case STRING -> quoted(value);
      default -> value.toString();
    };
  }

  private static String quoted(Object value) {
    return new ObjectMapper().writeValueAsString(value.toString());
  }
}
