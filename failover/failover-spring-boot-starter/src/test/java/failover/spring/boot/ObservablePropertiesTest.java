package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Failovers;
import failover.observe.ObservablePublisher;
import failover.observe.ObservablePublisher.Metrics;
import failover.spring.MdcLogPublisher;
import failover.spring.boot.Shop.Price;
import holdfast.testkit.threads.Eventually;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
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

  private static int linesFor(ApplicationContextRunner runner, CapturedOutput output) {
    int before = output.getOut().length();
    runner
        .withPropertyValues(
            "failover.observable.async.enabled=false", "failover.scheduler.enabled=false")
        .run(context -> ask(context, "a"));
    return output.getOut().substring(before).split("failover event name=price", -1).length - 1;
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void eventsAreLinesOfTheLogOnceIfWanted(CapturedOutput output) {
    ApplicationContextRunner wanted =
        Contexts.shop().withPropertyValues("failover.observable.log-events=true");
    int lines = linesFor(wanted, output);
    assertThat(lines).isPositive();
    assertThat(linesFor(wanted.withBean(MdcLogPublisher.class), output)).isEqualTo(lines);
    assertThat(linesFor(Contexts.shop(), output)).isZero();
  }
}
