package eventbus.spring.boot;

import eventbus.Event;
import eventbus.spring.EventBusHandler;
import holdfast.testkit.threads.Eventually;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Handler methods whose workers do not wait for them. */
class AsyncHandlersTest {

  static class Sender {
    final LinkedBlockingQueue<CompletableFuture<Void>> stages = new LinkedBlockingQueue<>();

    @EventBusHandler("Sent")
    CompletionStage<Void> send(Event event) {
      CompletableFuture<Void> stage = new CompletableFuture<>();
      stages.add(stage);
      return stage;
    }
  }

  @Test
  void theWorkerDoesNotWaitForAStage() {
    Contexts.runner()
        .withBean(Sender.class)
        .withPropertyValues("eventbus.workers=1")
        .run(
            context -> {
              Sender sender = context.getBean(Sender.class);
              long first = Contexts.bus(context).publish(Event.of("Sent", "{}"));
              long second = Contexts.bus(context).publish(Event.of("Sent", "{}"));
              Eventually.await("both", () -> sender.stages.size() == 2);
              sender.stages.take().complete(null);
              sender.stages.take().complete(null);
              for (long id : List.of(first, second)) {
                Eventually.await("done", () -> Contexts.logged(context, id).equals("COMPLETED"));
              }
            });
  }
}
