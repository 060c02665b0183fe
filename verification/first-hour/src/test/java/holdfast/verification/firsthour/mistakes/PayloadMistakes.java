package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Databases.onH2;
import static holdfast.verification.firsthour.mistakes.Messages.thrown;
import static holdfast.verification.firsthour.mistakes.Messages.warned;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BUILD;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL_LOG;

import eventbus.Event;
import eventbus.EventBus;
import eventbus.EventBusLifecycleListener;
import holdfast.payload.PayloadType;
import holdfast.payload.Payloads;
import holdfast.testkit.threads.Eventually;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxLifecycleListener;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/** Mistakes with objects as payloads. */
final class PayloadMistakes {
  private static final String NO_NUMBER = "{\"id\":\"seven\"}";

  private PayloadMistakes() {}

  @PayloadType("OrderPlaced")
  record OrderPlaced(long id) {}

  record OrderShipped(long id) {}

  record ParcelShipped(long id) {}

  static void withOutbox(MistakeList list) {
    list.add(
            "listener of a payload class without a type",
            BUILD,
            () ->
                onH2(
                    db ->
                        thrown(
                            () ->
                                JdbcOutbox.builder(db.dataSource())
                                    .listener(OrderShipped.class, order -> {})
                                    .build())),
            "OrderShipped must have an event type",
            "but has none",
            "put @PayloadType(\"OrderShipped\") on it")
        .add(
            "two payload classes for one type",
            BUILD,
            () ->
                thrown(
                    () ->
                        Payloads.discovered()
                            .with(OrderShipped.class, "OrderShipped")
                            .with(ParcelShipped.class, "OrderShipped")),
            "event type 'OrderShipped' must be published from one class",
            "but is registered for",
            "register one of them")
        .add(
            "payload without Jackson on the class path",
            BUILD,
            PayloadMistakes::withoutJackson,
            "payloads need a PayloadMapper",
            "but no PayloadMapper is on the class path",
            "add io.holdfast:holdfast-jackson and tools.jackson.core:jackson-databind")
        .add(
            "published payload of a class without a type",
            CALL,
            () ->
                onH2(
                    db -> {
                      JdbcOutbox outbox =
                          JdbcOutbox.builder(db.dataSource()).createTables().build();
                      try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
                        return thrown(() -> outbox.publishPayload(new OrderShipped(1)));
                      }
                    }),
            "OrderShipped must have an event type",
            "but has none",
            "put @PayloadType(\"OrderShipped\") on it")
        .add(
            "payload that the listener's class cannot hold",
            CALL_LOG,
            PayloadMistakes::unreadableInOutbox,
            "outbox dead",
            "field id is no long",
            "correct the class or the publisher, then deliver the event again");
  }

  static void withEventBus(MistakeList list) {
    list.add(
            "handler of a payload class without a type",
            BUILD,
            () ->
                onH2(
                    db ->
                        thrown(
                            () ->
                                EventBus.builder(db.dataSource())
                                    .handler(OrderShipped.class, order -> {})
                                    .build())),
            "OrderShipped must have an event type",
            "but has none",
            "put @PayloadType(\"OrderShipped\") on it")
        .add(
            "payload that the handler's class cannot hold",
            CALL_LOG,
            PayloadMistakes::unreadableOnTheBus,
            "eventbus failed",
            "field id is no long",
            "correct the class or the publisher, then deliver the event again");
  }

  /** A class path with the shared core and nothing else. */
  private static String withoutJackson() throws Exception {
    URL core = Payloads.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {core}, ClassLoader.getPlatformClassLoader())) {
      Class<?> payloads = loader.loadClass(Payloads.class.getName());
      Object discovered = payloads.getMethod("discovered").invoke(null);
      return thrown(
          () -> {
            try {
              payloads.getMethod("mapper").invoke(discovered);
            } catch (InvocationTargetException e) {
              throw (Exception) e.getCause();
            }
          });
    }
  }

  private static String unreadableInOutbox() throws Exception {
    CountDownLatch dead = new CountDownLatch(1);
    OutboxLifecycleListener listener =
        new OutboxLifecycleListener() {
          @Override
          public void onDead(String eventId, @Nullable String eventType, String error) {
            dead.countDown();
          }
        };
    return onH2(
        db -> {
          try (JdbcOutbox outbox =
              JdbcOutbox.builder(db.dataSource())
                  .createTables()
                  .lifecycleListener(listener)
                  .listener(OrderPlaced.class, order -> {})
                  .build()) {
            outbox.start();
            return warned(
                "outbox",
                () -> {
                  try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
                    outbox.publish(EventEnvelope.ofJson("OrderPlaced", NO_NUMBER));
                    tx.commit();
                  }
                  Eventually.await("dead", () -> dead.getCount() == 0);
                });
          }
        });
  }

  private static String unreadableOnTheBus() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    EventBusLifecycleListener listener =
        new EventBusLifecycleListener() {
          @Override
          public void onFailed(long id, String type, String error) {
            failed.countDown();
          }
        };
    return onH2(
        db -> {
          try (EventBus bus =
              EventBus.builder(db.dataSource())
                  .createTables()
                  .lifecycleListener(listener)
                  .handler(OrderPlaced.class, order -> {})
                  .build()) {
            bus.start();
            return warned(
                "eventbus",
                () -> {
                  bus.publish(Event.of("OrderPlaced", NO_NUMBER));
                  Eventually.await("failed", () -> failed.getCount() == 0);
                });
          }
        });
  }
}
