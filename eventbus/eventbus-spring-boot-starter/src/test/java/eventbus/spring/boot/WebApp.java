package eventbus.spring.boot;

import eventbus.spring.EventHandler;
import holdfast.testkit.db.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A whole application with a web server, and calls to its Actuator. */
final class WebApp implements AutoCloseable {

  /** Handles, and fails when it is told to. */
  static class Shop {
    private volatile boolean broken;

    void broken(boolean broken) {
      this.broken = broken;
    }

    @EventHandler({"OrderPlaced", "OrderPaid"})
    void take(String payload) {
      if (broken) {
        throw new IllegalStateException("the handler is broken");
      }
    }
  }

  @Configuration
  @EnableAutoConfiguration
  static class App {
    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  private final HttpClient http = HttpClient.newHttpClient();
  private final ConfigurableApplicationContext context;

  private WebApp(ConfigurableApplicationContext context) {
    this.context = context;
  }

  static WebApp on(TestDatabase database, String... more) {
    List<String> properties =
        new ArrayList<>(
            List.of(
                "server.port=0",
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always",
                "spring.web.error.include-message=always",
                "eventbus.initialize-schema=always",
                "eventbus.retry.max-attempts=1"));
    properties.addAll(List.of(more));
    return new WebApp(
        new SpringApplicationBuilder(App.class)
            .web(WebApplicationType.SERVLET)
            .properties(properties.toArray(String[]::new))
            .run());
  }

  ConfigurableApplicationContext context() {
    return context;
  }

  Shop shop() {
    return context.getBean(Shop.class);
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(to("eventbus" + path).GET());
  }

  HttpResponse<String> health() throws IOException, InterruptedException {
    return send(to("health").GET());
  }

  HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
    return send(
        to("eventbus" + path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json)));
  }

  /** A request without a body, and so without a type of it. */
  HttpResponse<String> post(String path) throws IOException, InterruptedException {
    return send(to("eventbus" + path).POST(HttpRequest.BodyPublishers.noBody()));
  }

  HttpResponse<String> delete(String path) throws IOException, InterruptedException {
    return send(to("eventbus" + path).DELETE());
  }

  private HttpRequest.Builder to(String path) {
    String port = context.getEnvironment().getProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    context.close();
  }
}
