package failover.spring.boot;

import static holdfast.spring.test.Starts.assertSays;
import static holdfast.spring.test.Starts.run;
import static org.assertj.core.api.Assertions.assertThat;

import failover.Failover;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a newcomer reads when something is wrong: what it is, and what to do. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailuresTest {

  @Configuration
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  static class App {
    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  @Configuration
  @EnableAutoConfiguration
  static class DatabaseApp {
    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  static class Mistaken {
    @Failover(name = "one", keyGenerator = "nobody")
    public String one() {
      return "";
    }

    @Failover(name = "two", expiryDurationExpression = "soon")
    public String two() {
      return "";
    }
  }

  @Configuration
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  static class MistakenApp {
    @Bean
    Mistaken mistaken() {
      return new Mistaken();
    }
  }

  @Test
  void annotationsThatDoNotFitAreAllNamed(CapturedOutput output) {
    assertSays(
        output,
        "- keyGenerator of failover 'one' must be one of [] but was 'nobody'",
        "correct the annotations",
        MistakenApp.class);
    assertThat(output.getOut()).contains("- expiryDurationExpression of failover 'two'");
  }

  @Test
  void settingsOutOfRangeAreAllNamed(CapturedOutput output) {
    assertSays(
        output,
        "failover.timed-calls must be 1 or more but was 0",
        "correct the settings",
        App.class,
        "failover.timed-calls=0",
        "failover.close-timeout=-1s",
        "failover.store.jdbc.table-prefix=a; DROP",
        "failover.observable.async.queue-capacity=0",
        "failover.observable.cardinality.max-apis=0",
        "failover.recover-any=true",
        "failover.never-on=java.io.IOException",
        "failover.scheduler.cleanup-cron=hourly",
        "failover.scheduler.report-cron=daily");
    assertThat(output.getOut())
        .contains(
            "failover.close-timeout must",
            "failover.store.jdbc.table-prefix must",
            "failover.observable.async.queue-capacity must",
            "failover.observable.cardinality.max-apis must",
            "failover.recover-any must",
            "failover.scheduler.cleanup-cron must",
            "failover.scheduler.report-cron must");
  }

  @Test
  void aSchemaThatIsAReservedWordIsNamedWithTheOtherMistakes(CapturedOutput output) {
    assertSays(
        output,
        "failover.store.jdbc.table-prefix: schema name must not be a reserved word of SQL",
        "correct the settings",
        App.class,
        "failover.store.jdbc.table-prefix=select.SHOP_",
        "failover.timed-calls=0");
    assertThat(output.getOut()).contains("failover.timed-calls must be 1 or more but was 0");
  }

  @Test
  void aStoreOfOnesOwnMustBeThere(CapturedOutput output) {
    assertSays(
        output,
        "failover.store.type is custom but there is no FailoverStore bean",
        "define one",
        App.class,
        "failover.store.type=custom");
  }

  @Test
  void anExecutionOfOnesOwnMustBeThere(CapturedOutput output) {
    assertSays(
        output,
        "failover.type is custom but there is not one ExecutionFactory bean",
        "failover.type to basic or resilience",
        App.class,
        "failover.type=custom");
  }

  @Test
  void aPolicyOfOnesOwnMustBeThere(CapturedOutput output) {
    assertSays(
        output,
        "failover.exception-policy is custom but there is not one MethodExceptionPolicy bean",
        "define one",
        App.class,
        "failover.exception-policy=custom");
  }

  @Test
  void aTableNeedsADatabase(CapturedOutput output) {
    assertSays(
        output,
        "failover.store.type is jdbc but there is not one DataSource",
        "set spring.datasource.url",
        App.class,
        "failover.store.type=jdbc");
  }

  @Test
  void aMissingTableIsNamedWithTheWayToIt(CapturedOutput output) {
    assertSays(
        output,
        "FAILOVER_STORE",
        "failover.store.jdbc.initialize-schema=always",
        DatabaseApp.class,
        "failover.store.type=jdbc",
        "failover.store.jdbc.initialize-schema=never");
  }

  @Test
  void aDatabaseThatIsDownDoesNotKeepTheApplicationFromStarting(CapturedOutput output) {
    run(
        DatabaseApp.class,
        "failover.store.type=jdbc",
        "spring.datasource.url=jdbc:h2:tcp://localhost:1/nobody",
        "spring.datasource.hikari.connection-timeout=250",
        "spring.datasource.hikari.initialization-fail-timeout=-1",
        "failover.close-timeout=1s");
    assertThat(output.getAll()).contains("failover cannot reach its database");
  }

  @Test
  void whatIsNotOnTheClassPathIsNamed() {
    Contexts.bare()
        .withClassLoader(new FilteredClassLoader("io.github.resilience4j"))
        .withPropertyValues("failover.type=resilience")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("Resilience4j is not there")
                    .hasMessageContaining("resilience4j-circuitbreaker"));
    Contexts.bare()
        .withClassLoader(new FilteredClassLoader("com.github.benmanes"))
        .withPropertyValues("failover.store.type=caffeine")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("failover-caffeine is not there")
                    .hasMessageContaining("io.holdfast:failover-caffeine"));
  }

  @Test
  void theStartSaysHowItIsSet(CapturedOutput output) {
    run(App.class, "failover.exception-policy=never_throw");
    assertThat(output.getAll())
        .contains("failover is ready points=1 execution=BASIC")
        .contains("store=InMemoryFailoverStore async=false") // there is nothing to wait for
        .contains("failover point name=price domain=price method=Shop#price expiry=1h")
        .contains("failover keeps answers in memory only")
        .contains("failover never throws");
  }
}
