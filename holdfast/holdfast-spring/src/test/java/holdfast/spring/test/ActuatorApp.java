package holdfast.spring.test;

import holdfast.testkit.db.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A whole application with a web server, and calls to its Actuator. */
public class ActuatorApp implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String endpoint;
  private final ConfigurableApplicationContext context;

  /**
   * Starts it, with all endpoints and all details to be seen.
   *
   * @param app its configuration
   * @param endpoint the endpoint that is called
   * @param properties what else is set
   */
  public ActuatorApp(Class<?> app, String endpoint, List<String> properties) {
    this.endpoint = endpoint;
    this.context =
        new SpringApplicationBuilder(app)
            .web(WebApplicationType.SERVLET)
            .properties(
                "server.port=0",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always",
                "spring.web.error.include-message=always")
            .properties(properties.toArray(String[]::new))
            .run();
  }

  /**
   * The properties that put an application above a database, then others, the last of which win.
   */
  public static List<String> above(TestDatabase database, String[] last, String... others) {
    return Stream.of(
            Stream.of(
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password()),
            Stream.of(others),
            Stream.of(last))
        .flatMap(properties -> properties)
        .toList();
  }

  public final ConfigurableApplicationContext context() {
    return context;
  }

  public final <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  public final HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return getOther(endpoint + path);
  }

  /** Calls another endpoint than this application's own. */
  public final HttpResponse<String> getOther(String path) throws IOException, InterruptedException {
    return send(to(path).GET());
  }

  public final HttpResponse<String> health() throws IOException, InterruptedException {
    return getOther("health");
  }

  public final HttpResponse<String> post(String path, String json)
      throws IOException, InterruptedException {
    return send(
        to(endpoint + path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json)));
  }

  /** A request without a body, and so without a type of it. */
  public final HttpResponse<String> post(String path) throws IOException, InterruptedException {
    return send(to(endpoint + path).POST(HttpRequest.BodyPublishers.noBody()));
  }

  public final HttpResponse<String> delete(String path) throws IOException, InterruptedException {
    return send(to(endpoint + path).DELETE());
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
  public final void close() {
    context.close();
  }
}
