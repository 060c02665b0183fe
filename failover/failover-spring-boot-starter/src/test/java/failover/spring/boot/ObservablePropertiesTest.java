package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import failover.Failovers;
import failover.observe.ObservablePublisher;
import failover.observe.ObservablePublisher.Metrics;
import failover.spring.MdcLogPublisher;
import failover.spring.boot.Shop.Price;
import holdfast.testkit.threads.Eventually;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Sweeps, reports and events in a whole application. */
class ObservablePropertiesTest {

  private static Price ask(ApplicationContext context, String sku) throws Exception {
    return context.getBean(Shop.class).price(sku);
  }

  private static long stored(AssertableApplicationContext context) {
    return context.getBean(Failovers.class).stored().entries("price", 1_000).size();
  }

  @Test
  void expiredAnswersAreSweptWhenTheExpressionSays() {
    Contexts.shop()
        .withPropertyValues("failover.scheduler.cleanup-cron=* * * * * *")
        .run(
            context -> {
              ask(context, "a");
              context.getBean(Failovers.class).stored().expireAll("price");
              Eventually.await("it is swept", () -> stored(context) == 0);
            });
  }

  /** Takes note of events. */
  static class Publisher implements ObservablePublisher {
    final List<Metrics> events = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();

    @Override
    public void publish(Metrics metrics) {
      events.add(metrics);
      threads.add(Thread.currentThread().getName());
    }

    long reports() {
      return events.stream().filter(it -> it.name().equals("failover-report-price")).count();
    }
  }

  @Test
  void reportsArePublishedAtTheStartAndWhenTheExpressionSays() {
    Contexts.shop()
        .withBean(Publisher.class)
        .withPropertyValues("failover.scheduler.report-cron=* * * * * *")
        .run(
            context ->
                Eventually.await(
                    "there are several", () -> context.getBean(Publisher.class).reports() >= 3));
    Contexts.shop()
        .withBean(Publisher.class)
        .withPropertyValues(
            "failover.scheduler.enabled=false", "failover.observable.async.enabled=false")
        .run(context -> assertThat(context.getBean(Publisher.class).reports()).isZero());
  }

  @Test
  void publishersHaveAThreadOfTheirOwnUnlessToldOtherwise() {
    Contexts.shop()
        .withBean(Publisher.class)
        .withPropertyValues("failover.observable.async.queue-capacity=5")
        .run(
            context -> {
              ask(context, "a");
              Publisher publisher = context.getBean(Publisher.class);
              Eventually.await("it is told", () -> publisher.events.size() >= 2);
              assertThat(publisher.threads).allMatch(name -> name.startsWith("failover-events"));
            });
    Contexts.shop()
        .withBean(Publisher.class)
        .withPropertyValues(
            "failover.observable.async.enabled=false", "failover.scheduler.enabled=false")
        .run(
            context -> {
              ask(context, "a");
              assertThat(context.getBean(Publisher.class).threads)
                  .containsOnly(Thread.currentThread().getName());
            });
  }

  private static int linesFor(ApplicationContextRunner runner) {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger("failover.events");
    logger.addAppender(lines);
    lines.start();
    try {
      runner
          .withPropertyValues(
              "failover.observable.async.enabled=false", "failover.scheduler.enabled=false")
          .run(context -> ask(context, "a"));
    } finally {
      logger.detachAppender(lines);
    }
    assertThat(lines.list)
        .allSatisfy(
            line ->
                assertThat(line.getMDCPropertyMap())
                    .containsKey("failover-action")
                    .containsEntry("failover-name", "price"));
    return lines.list.size();
  }

  @Test
  void eventsAreLinesOfTheLogOnceIfWanted() {
    ApplicationContextRunner wanted =
        Contexts.shop().withPropertyValues("failover.observable.log-events=true");
    int lines = linesFor(wanted);
    assertThat(lines).isPositive();
    assertThat(linesFor(wanted.withBean(MdcLogPublisher.class))).isEqualTo(lines);
    assertThat(linesFor(Contexts.shop())).isZero();
  }
}
