package eventlog.otlp;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** OpenTelemetry's values as Java has them. Stateless. */
final class AnyValues {
  private AnyValues() {}

  static Map<String, Object> read(KeyValueList list) {
    Map<String, Object> map = new LinkedHashMap<>();
    list.getValuesList().forEach(entry -> map.put(entry.getKey(), read(entry.getValue())));
    return map;
  }

  private static Object read(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> value.getBoolValue();
      case INT_VALUE -> value.getIntValue();
      case DOUBLE_VALUE -> value.getDoubleValue();
      case KVLIST_VALUE -> read(value.getKvlistValue());
      case ARRAY_VALUE -> {
        List<Object> list = new ArrayList<>();
        value.getArrayValue().getValuesList().forEach(each -> list.add(read(each)));
        yield list;
      }
      case VALUE_NOT_SET -> null;
      default -> throw new AssertionError("unexpected " + value);
    };
  }
}
