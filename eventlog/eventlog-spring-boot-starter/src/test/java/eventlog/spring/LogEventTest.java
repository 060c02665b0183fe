package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import holdfast.testkit.time.SettableTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.aop.support.AopUtils;

/** Methods whose calls are logged. */
class LogEventTest extends LogEventFixture {

  @Test
  void aProcessAndItsStepBelongTogether() {
    run(
        context -> {
          assertThat(context.getBean(Shop.class).place()).isEqualTo(3);

          List<EventLogEntry> events = await(context, 3);
          EventLogEntry start = events.get(0);
          EventLogEntry step = events.get(1);
          EventLogEntry end = events.get(2);
          assertThat(start.eventType()).isEqualTo(EventType.PROCESS_START);
          assertThat(start.eventStatus()).isEqualTo(EventStatus.IN_PROGRESS);
          assertThat(start.processName()).isEqualTo("PlaceOrder");
          assertThat(start.summary()).isEqualTo("PlaceOrder started");
          assertThat(start.executionTimeMs()).isNull();
          assertThat(start.originatingSystem()).isEqualTo("web");
          assertThat(start.targetSystem()).isEqualTo("shop");
          assertThat(start.parentSpanId()).isNull();

          assertThat(step.eventType()).isEqualTo(EventType.STEP);
          assertThat(step.eventStatus()).isEqualTo(EventStatus.SUCCESS);
          assertThat(step.processName()).isEqualTo("PlaceOrder");
          assertThat(step.stepName()).isEqualTo("ReserveStock");
          assertThat(step.stepSequence()).isEqualTo(2);
          assertThat(step.targetSystem()).isEqualTo("warehouse");
          assertThat(step.executionTimeMs()).isEqualTo(250);
          assertThat(step.parentSpanId()).isEqualTo(start.spanId());

          assertThat(end.eventType()).isEqualTo(EventType.PROCESS_END);
          assertThat(end.eventStatus()).isEqualTo(EventStatus.SUCCESS);
          assertThat(end.executionTimeMs()).isEqualTo(250);
          assertThat(end.spanId()).isEqualTo(start.spanId()).isNotEqualTo(step.spanId());

          assertThat(events)
              .extracting(EventLogEntry::correlationId)
              .containsOnly(start.correlationId());
          assertThat(events).extracting(EventLogEntry::traceId).containsOnly(start.traceId());
          assertThat(events).extracting(EventLogEntry::idempotencyKey).doesNotHaveDuplicates();
        });
  }

  @Test
  void idsComeFromTheMdc() {
    run(
        context -> {
          MDC.put("correlationId", "order-42");
          MDC.put("traceId", "4bf92f3577b34da6a3ce929d0e0e4736");
          MDC.put("spanId", "00f067aa0ba902b7");
          context.getBean(Shop.class).place();

          assertThat(await(context, 3))
              .allMatch(event -> event.correlationId().equals("order-42"))
              .allMatch(event -> event.traceId().equals("4bf92f3577b34da6a3ce929d0e0e4736"));
          assertThat(await(context, 3).get(0).parentSpanId()).isEqualTo("00f067aa0ba902b7");
          assertThat(MDC.get("correlationId")).isEqualTo("order-42");
        });
  }

  @Test
  void idsThatWereMadeUpAreInTheMdcWhileTheMethodRunsAndNoLonger() {
    run(
        context -> {
          context.getBean(Shop.class).place();

          EventLogEntry start = await(context, 3).get(0);
          Warehouse warehouse = context.getBean(Warehouse.class);
          assertThat(warehouse.seen()).isEqualTo(start.correlationId() + " " + start.traceId());
          assertThat(MDC.get("correlationId")).isNull();
          assertThat(MDC.get("traceId")).isNull();
          context.getBean(Shop.class).place();
          assertThat(await(context, 6).get(3).correlationId()).isNotEqualTo(start.correlationId());
        });
  }

  @Test
  void namesThatAreNotGivenAreMadeFromTheMethod() {
    run(
        context -> {
          context.getBean(Shop.class).unnamed();
          assertThat(await(context, 2)).allMatch(e -> e.processName().equals("Shop.unnamed"));

          context.getBean(Warehouse.class).count();
          List<EventLogEntry> steps = await(context, 4).subList(2, 4);
          assertThat(steps)
              .extracting(EventLogEntry::eventStatus)
              .containsExactly(EventStatus.IN_PROGRESS, EventStatus.SUCCESS);
          assertThat(steps)
              .allMatch(e -> e.processName().equals("Warehouse.count"))
              .allMatch(e -> e.eventType() == EventType.STEP)
              .allMatch(e -> e.summary().equals("Stock is counted"));
        });
  }

  @Test
  void beansThatAreKnownByTheirInterfaceAreLoggedAsWell() {
    app()
        .withBean(PoliteGreeter.class)
        .withPropertyValues("spring.aop.proxy-target-class=false")
        .run(
            context -> {
              Greeter greeter = context.getBean(Greeter.class);
              assertThat(AopUtils.isJdkDynamicProxy(greeter)).isTrue();
              assertThat(greeter.greet()).isEqualTo("hello");
              assertThat(await(context, 2)).allMatch(e -> e.processName().equals("Greet"));
            });
  }

  @Test
  void otherMethodsAndBeansAreLeftAlone() {
    run(
        context -> {
          assertThat(context.getBean(Warehouse.class).unlogged()).isEqualTo(1);
          assertThat(AopUtils.isAopProxy(context.getBean(SettableTime.class))).isFalse();
          context.getBean(Warehouse.class).reserve();
          assertThat(await(context, 1)).hasSize(1);
        });
  }
}
