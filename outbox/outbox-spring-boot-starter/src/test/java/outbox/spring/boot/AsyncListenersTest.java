package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

/** Listeners of beans that are asynchronous or take several events. */
class AsyncListenersTest {

  static class Pending {
    final LinkedBlockingQueue<CompletableFuture<Void>> stages = new LinkedBlockingQueue<>();

    CompletableFuture<Void> start() {
      CompletableFuture<Void> stage = new CompletableFuture<>();
      stages.add(stage);
      return stage;
    }
  }

  static class Method {
    private final Pending pending;

    Method(Pending pending) {
      this.pending = pending;
    }

    @OutboxListener("Sent")
    CompletionStage<Void> send(String json) {
      return pending.start();
    }
  }

  @OutboxListener("Sent")
  static class Bean implements AsyncEventListener {
    private final Pending pending;

    Bean(Pending pending) {
      this.pending = pending;
    }

    @Override
    public CompletionStage<?> onEventAsync(EventEnvelope event) {
      return pending.start();
    }
  }

  @OutboxListener("Sent")
  static class Batches implements BatchEventListener {
    final Queue<Integer> sizes = new ConcurrentLinkedQueue<>();

    @Override
    public Map<String, Exception> onEvents(List<EventEnvelope> events) {
      sizes.add(events.size());
      return Map.of();
    }
  }

  @Test
  void theWorkerDoesNotWaitForAStage() {
    assertOneWorkerHasTwoPending(Method.class);
    assertOneWorkerHasTwoPending(Bean.class);
  }

  private static void assertOneWorkerHasTwoPending(Class<?> listener) {
    Contexts.runner()
        .withBean(Pending.class)
        .withBean(listener)
        .withPropertyValues("outbox.workers=1")
        .run(
            context -> {
              Pending pending = context.getBean(Pending.class);
              String first = Contexts.publish(context, "Sent", "{}");
              String second = Contexts.publish(context, "Sent", "{}");
              Eventually.await("both", () -> pending.stages.size() == 2);
              pending.stages.take().complete(null);
              pending.stages.take().complete(null);
              for (String id : List.of(first, second)) {
                Eventually.await(
                    "done", () -> Contexts.status(context, id) == EventStatus.DONE.code());
              }
            });
  }

  @Test
  void aBeanMayTakeSeveralEventsAtATime() {
    Contexts.runner()
        .withBean(Batches.class)
        .withPropertyValues("outbox.workers=1", "outbox.concurrency.Sent=1")
        .run(
            context -> {
              String id = Contexts.publish(context, "Sent", "{}");
              Eventually.await(
                  "done", () -> Contexts.status(context, id) == EventStatus.DONE.code());
              assertThat(context.getBean(Batches.class).sizes).containsExactly(1);
            });
  }

  @Test
  void noMoreOfATypeArePendingThanAllowed() {
    Contexts.runner()
        .withBean(Pending.class)
        .withBean(Method.class)
        .withPropertyValues("outbox.concurrency.Sent=1")
        .run(
            context -> {
              Pending pending = context.getBean(Pending.class);
              Contexts.publish(context, "Sent", "{}");
              String second = Contexts.publish(context, "Sent", "{}");
              CompletableFuture<Void> stage = pending.stages.take();
              assertThat(pending.stages).isEmpty();
              stage.complete(null);
              pending.stages.take().complete(null);
              Eventually.await(
                  "done", () -> Contexts.status(context, second) == EventStatus.DONE.code());
            });
  }
}
