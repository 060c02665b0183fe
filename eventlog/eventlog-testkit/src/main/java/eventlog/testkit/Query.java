package eventlog.testkit;

import com.sun.net.httpserver.HttpExchange;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** What follows the question mark of an address. Immutable. */
final class Query {
  private final Map<String, String> values = new HashMap<>();

  private Query(String query) {
    for (String part : query.split("&", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        String value = part.substring(equals + 1);
        values.put(part.substring(0, equals), URLDecoder.decode(value, StandardCharsets.UTF_8));
      }
    }
  }

  static Query of(HttpExchange exchange) {
    String raw = exchange.getRequestURI().getRawQuery();
    return new Query(raw == null ? "" : raw);
  }

  /** The value of a name, empty if there is none. */
  String get(String name) {
    return values.getOrDefault(name, "");
  }
}
