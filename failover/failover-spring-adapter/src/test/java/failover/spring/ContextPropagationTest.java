package failover.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import failover.execution.ContextPropagator;
import failover.observe.ObservablePublisher.Metrics;
import io.micrometer.context.ContextRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

class ContextPropagationTest {
  private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

  @AfterEach
  void clear() {
    MDC.clear();
    TENANT.remove();
    ContextRegistry.getInstance().removeThreadLocalAccessor("tenant");
  }

  @Test
  void theLogContextGoesAlongAndIsTakenOffAgain() throws InterruptedException {
    List<String> seen = new ArrayList<>();
    MDC.put("order", "1");
    Runnable task = new MdcContextPropagator().wrap(() -> seen.add(MDC.get("order")));
    MDC.put("order", "2");
    Thread other =
        new Thread(
            () -> {
              MDC.put("order", "own");
              task.run();
              seen.add(MDC.get("order"));
            });
    other.start();
    other.join();
    assertThat(seen).containsExactly("1", "own");
  }

  @Test
  void whatIsRegisteredGoesAlongToo() throws InterruptedException {
    ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", TENANT);
    List<String> seen = new ArrayList<>();
    TENANT.set("acme");
    MDC.put("order", "1");
    Runnable task =
        ContextPropagator.all(List.of(new MdcContextPropagator(), new SnapshotContextPropagator()))
            .wrap(() -> seen.add(TENANT.get() + MDC.get("order")));
    Thread other = new Thread(task);
    other.start();
    other.join();
    assertThat(seen).containsExactly("acme1");
  }

  @Test
  void whatTheCallerDoesNotHaveIsClearedAndPutBack() {
    ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", TENANT);
    List<String> seen = new ArrayList<>();
    Runnable task =
        ContextPropagator.all(List.of(new MdcContextPropagator(), new SnapshotContextPropagator()))
            .wrap(
                () -> {
                  seen.add(TENANT.get() + MDC.get("order"));
                  TENANT.set("left behind");
                  MDC.put("order", "left behind");
                  throw new StackOverflowError("of the task");
                });
    TENANT.set("own");
    MDC.put("order", "own");
    assertThatThrownBy(task::run).isInstanceOf(StackOverflowError.class);
    assertThat(seen).containsExactly("nullnull");
    assertThat(TENANT.get() + MDC.get("order")).isEqualTo("ownown");
  }

  @Test
  void aSupplierIsCarriedToo() {
    MDC.put("order", "1");
    Supplier<String> order = new MdcContextPropagator().wrapSupplier(() -> MDC.get("order"));
    MDC.put("order", "2");
    assertThat(order.get()).isEqualTo("1");
    assertThat(order.get()).isEqualTo("1");
    assertThat(MDC.get("order")).isEqualTo("2");
    assertThat(ContextPropagator.noOp().wrapSupplier(() -> null).get()).isNull();
  }

  @Test
  void eventsAreLinesWithTheirFieldsInTheLogContext() {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger("failover.events");
    logger.addAppender(lines);
    lines.start();
    MDC.put("order", "1");
    new MdcLogPublisher().publish(Metrics.of("price").collect("action", "recover"));
    logger.detachAppender(lines);
    assertThat(lines.list).hasSize(1);
    assertThat(lines.list.get(0).getFormattedMessage()).isEqualTo("failover event name=price");
    assertThat(lines.list.get(0).getMDCPropertyMap())
        .containsEntry("failover-action", "recover")
        .containsEntry("order", "1");
    assertThat(MDC.getCopyOfContextMap()).containsOnlyKeys("order");
  }

  @Test
  void aPropagatorThatGivesNothingIsNamed() {
    ContextPropagator broken = task -> null;
    assertThatThrownBy(() -> ContextPropagator.all(List.of(broken)).wrap(() -> {}))
        .hasMessageContaining("must give a task but gave null");
  }
}
