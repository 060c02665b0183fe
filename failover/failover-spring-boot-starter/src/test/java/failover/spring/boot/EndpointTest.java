package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.StoredAnswers.Entry;
import failover.spring.boot.FailoverAnswers.Report;
import failover.spring.boot.FailoverAnswers.Stored;
import holdfast.testkit.time.SettableTime;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What people see and do while it runs. */
class EndpointTest {

  private static ApplicationContextRunner exposed() {
    return Contexts.shop()
        .withPropertyValues(
            "management.endpoints.web.exposure.include=failover",
            "failover.scheduler.enabled=false"); // a sweep would take what is expired here
  }

  @Test
  void ledgerAndPointsAreShown() {
    exposed()
        .run(
            context -> {
              context.getBean(Shop.class).price("a");
              Report report = context.getBean(FailoverEndpoint.class).report();
              assertThat(report.ledger().accepted()).isEqualTo(1);
              assertThat(report.ledger().delivered()).isEqualTo(1);
              assertThat(report.ledger().unaccounted()).isZero();
              assertThat(report.points()).hasSize(1);
              assertThat(report.points().get(0).name()).isEqualTo("price");
              assertThat(report.points().get(0).method()).isEqualTo("Shop#price");
              assertThat(report.points().get(0).counts().live()).isEqualTo(1);
            });
  }

  @Test
  void entriesAreExpiredAndForgottenOneByOneOrAll() {
    exposed()
        .run(
            context -> {
              FailoverEndpoint endpoint = context.getBean(FailoverEndpoint.class);
              Shop shop = context.getBean(Shop.class);
              shop.price("a");
              shop.price("b");
              Stored stored = endpoint.stored("price", null, null);
              assertThat(stored.entries()).hasSize(2);
              assertThat(endpoint.stored("price", 1, null).entries()).hasSize(1);
              Entry entry = stored.entries().get(0);
              Contexts.target(context).goDown();
              assertThat(endpoint.act("price", "forget", entry.id(), null, null, null).entries())
                  .isEqualTo(1);
              assertThat(endpoint.act("price", "forget", entry.id(), null, null, null).entries())
                  .isZero();
              assertThat(endpoint.stored("price", null, null).entries()).hasSize(1);
              assertThat(endpoint.act("price", "expire", null, true, null, null).entries())
                  .isEqualTo(1);
              assertThatThrownBy(() -> shop.price("a")).hasMessage("down");
              assertThatThrownBy(() -> shop.price("b")).hasMessage("down");
              assertThat(endpoint.act("price", "forget", null, true, null, null).entries())
                  .isEqualTo(1);
              assertThat(endpoint.stored("price", null, null).entries()).isEmpty();
              assertThat(endpoint.stored("unknown", null, null)).isNull();
              assertThatThrownBy(() -> endpoint.act("unknown", "forget", null, true, null, null))
                  .isInstanceOf(InvalidEndpointRequestException.class)
                  .hasMessageContaining("the point must be one of [price] but was 'unknown'");
              assertThatThrownBy(() -> endpoint.act("price", "burn", null, null, null, null))
                  .isInstanceOf(InvalidEndpointRequestException.class)
                  .hasMessageContaining("expire, forget or drill");
              assertThatThrownBy(() -> endpoint.stored("price", 0, null))
                  .hasMessageContaining("limit must be 1 to 1000");
            });
  }

  @Test
  void aDrillIsBegunAndEnded() {
    exposed()
        .run(
            context -> {
              FailoverEndpoint endpoint = context.getBean(FailoverEndpoint.class);
              Shop shop = context.getBean(Shop.class);
              shop.price("a");
              endpoint.act("price", "drill", null, null, "true", null);
              assertThat(endpoint.report().points().get(0).drill()).isTrue();
              assertThat(shop.price("a")).isNotNull();
              assertThat(Contexts.target(context).asked).hasValue(1);
              endpoint.act("price", "drill", null, null, "false", null);
              shop.price("a");
              assertThat(Contexts.target(context).asked).hasValue(2);
            });
  }

  @Test
  void aDrillMayHaveAnEndWhichIsShown() {
    SettableTime time = new SettableTime();
    exposed()
        .withBean(FailoverCustomizer.class, () -> builder -> builder.time(time))
        .run(
            context -> {
              FailoverEndpoint endpoint = context.getBean(FailoverEndpoint.class);
              FailoverHealthIndicator health = context.getBean(FailoverHealthIndicator.class);
              endpoint.act("price", "drill", null, null, "30m", null);
              Instant end = SettableTime.START.plus(Duration.ofMinutes(30));
              assertThat(endpoint.report().points().get(0).drillUntil()).isEqualTo(end);
              assertThat(health.health().getDetails())
                  .containsEntry("drills", Set.of("price"))
                  .containsEntry("drillsUntil", Map.of("price", end));
              time.advance(Duration.ofMinutes(30));
              assertThat(endpoint.report().points().get(0).drill()).isFalse();
              assertThat(endpoint.report().points().get(0).drillUntil()).isNull();
              assertThat(health.health().getDetails())
                  .containsEntry("drills", Set.of())
                  .doesNotContainKey("drillsUntil");
              for (String wrong : Arrays.asList(null, "", "0s", "soon", "500d")) {
                assertThatThrownBy(() -> endpoint.act("price", "drill", null, null, wrong, null))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessageContaining("true, false, or how long");
              }
            });
  }

  @Test
  void healthIsUpWhateverSourcesDo() {
    Contexts.bare()
        .run(
            context -> {
              Health health = context.getBean(FailoverHealthIndicator.class).health();
              assertThat(health.getStatus()).isEqualTo(Status.UP);
              assertThat(health.getDetails()).containsEntry("points", 0);
            });
    Contexts.shop()
        .run(
            context -> {
              Contexts.target(context).goDown();
              assertThatThrownBy(() -> context.getBean(Shop.class).price("a")).hasMessage("down");
              Health health = context.getBean(FailoverHealthIndicator.class).health();
              assertThat(health.getStatus()).isEqualTo(Status.UP);
              assertThat(health.getDetails())
                  .containsEntry("points", 1)
                  .containsEntry("price", "answered=0.000 stale=0.000");
            });
  }

  @Configuration
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  static class App {
    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  private static HttpResponse<String> send(
      ConfigurableApplicationContext context, String path, String body) throws Exception {
    String port = context.getEnvironment().getProperty("local.server.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path));
    if (body != null) {
      request
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void contentIsNotShownAndActionsAreAllowedOnlyWhenAskedFor() throws Exception {
    String[] usual = {
      "server.port=0", "management.endpoints.web.exposure.include=*", "spring.main.banner-mode=off"
    };
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(App.class)
            .web(WebApplicationType.SERVLET)
            .properties(usual)
            .run()) {
      context.getBean(Shop.class).price("secret-sku");
      HttpResponse<String> stored = send(context, "failover/price", null);
      assertThat(stored.statusCode()).isEqualTo(200);
      assertThat(stored.body()).contains("\"id\":\"").doesNotContain("secret-sku", "cents");
      assertThat(send(context, "failover", null).body()).contains("\"unaccounted\":0");
      assertThat(send(context, "failover/price/forget", "{}").statusCode()).isIn(404, 405);
    }
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(App.class)
            .web(WebApplicationType.SERVLET)
            .properties(usual)
            .properties("management.endpoint.failover.access=unrestricted")
            .run()) {
      context.getBean(Shop.class).price("a");
      for (String body : List.of("{}", "{\"ID\":\"1\"}", "{\"id\":\"1\",\"all\":true}")) {
        assertThat(send(context, "failover/price/forget", body).statusCode()).isEqualTo(400);
        assertThat(send(context, "failover/price/drill", body).statusCode()).isEqualTo(400);
      }
      assertThat(send(context, "failover/price/forget", "{\"all\":true}").body())
          .contains("\"entries\":1");
      for (String on : List.of("\"30m\"", "true", "false")) {
        assertThat(send(context, "failover/price/drill", "{\"on\":" + on + "}").body())
            .contains(on.equals("false") ? "drill is over" : "drill begins");
      }
      assertThat(send(context, "failover/price/burn", "{}").statusCode()).isEqualTo(400);
      assertThat(send(context, "failover/unknown/forget", "{}").statusCode()).isEqualTo(400);
    }
  }
}
