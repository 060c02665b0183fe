package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import java.lang.reflect.Proxy;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;
import outbox.spi.MetricsExporter;

/** An application's metrics that throw, whatever is counted. */
class ThrowingMetricsTest {

  @Test
  void keepNoEventFromItsWayAndAreReportedOnce() {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(b -> b.maxAttempts(2).metrics(throwing()))) {
      node.listeners
          .register("Made", node::record)
          .register(
              "Broken",
              event -> {
                throw new IllegalStateException("never works");
              });
      EventEnvelope made = node.publish("Made");
      EventEnvelope broken = node.publish("Broken");
      node.await(made, EventStatus.DONE);
      node.await(broken, EventStatus.RETRY);
      node.cold(broken, 1);
      node.await(broken, EventStatus.DEAD);
      node.awaitIdle();
      assertThat(node.delivered).containsExactly(made);
      assertThat(log.messages(Level.WARNING))
          .filteredOn(message -> message.contains("metrics failed"))
          .hasSize(1);
    }
  }

  private static MetricsExporter throwing() {
    return (MetricsExporter)
        Proxy.newProxyInstance(
            MetricsExporter.class.getClassLoader(),
            new Class<?>[] {MetricsExporter.class},
            (proxy, method, args) -> {
              if (method.getName().equals("toString")) {
                return "throwing metrics";
              }
              throw new IllegalStateException("cannot count " + method.getName());
            });
  }
}
