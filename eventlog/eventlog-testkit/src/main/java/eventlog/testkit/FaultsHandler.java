package eventlog.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;

/** Switches faults from outside. Safe for use by many threads. */
final class FaultsHandler implements HttpHandler {
  private final Faults faults;

  FaultsHandler(Faults faults) {
    this.faults = faults;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("PUT")) {
        exchange.getResponseHeaders().set("Allow", "PUT");
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      Query query = Query.of(exchange);
      try {
        Fault fault = Fault.valueOf(query.get("fault"));
        String requests = query.get("requests");
        faults.set(fault, requests.isEmpty() ? Long.MAX_VALUE : Long.parseLong(requests));
        exchange.sendResponseHeaders(204, -1);
      } catch (IllegalArgumentException e) {
        exchange.sendResponseHeaders(400, -1);
      }
    }
  }
}
