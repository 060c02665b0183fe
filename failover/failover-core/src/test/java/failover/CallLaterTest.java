package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.store.InMemoryFailoverStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class CallLaterTest {
  private final Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();
  private final FailoverSpec<String> spec =
      FailoverSpec.builder("price", String.class).pause(Duration.ZERO, Duration.ZERO).build();
  private final IOException down = new IOException("down");

  private CompletableFuture<String> ask(CompletableFuture<String> source) {
    return failovers.callLater(spec, List.of("a"), () -> source);
  }

  @Test
  void aTimeoutThatWouldNotBeKeptIsRefused() {
    FailoverSpec<String> timed =
        FailoverSpec.builder("timed", String.class).hardTimeout(Duration.ofSeconds(1)).build();
    assertThatThrownBy(() -> failovers.callLater(timed, List.of(), CompletableFuture::new))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'timed'")
        .hasMessageContaining("orTimeout");
    assertThat(failovers.ledger().accepted()).isZero();
  }

  @Test
  void aLaterFailureIsRecovered() throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> answer = ask(first);
    assertThat(answer).isNotDone();
    assertThat(failovers.ledger().heldByPlace()).containsEntry("calls", 1L);
    first.complete("live");
    assertThat(answer).isCompletedWithValue("live");
    CompletableFuture<String> second = new CompletableFuture<>();
    CompletableFuture<String> recovered = ask(second.thenApply(value -> value));
    second.completeExceptionally(down);
    assertThat(recovered).isCompletedWithValue("live");
    assertThat(failovers.counts().get("price").recovered()).isEqualTo(1);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }

  @Test
  void withoutAStoredAnswerTheVeryThrowableEndsTheStage() {
    assertThatThrownBy(() -> ask(CompletableFuture.failedFuture(down)).get())
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isSameAs(down);
    assertThatThrownBy(
            () ->
                failovers
                    .callLater(
                        spec,
                        List.of("a"),
                        () -> {
                          throw down;
                        })
                    .get())
        .cause()
        .isSameAs(down);
    assertThatThrownBy(() -> failovers.callLater(spec, List.of("a"), () -> null).get())
        .cause()
        .isInstanceOf(NullPointerException.class);
    assertThat(failovers.ledger().lostByReason()).containsEntry("nothing_stored", 3L);
  }

  @Test
  void cancellingTheAnswerCancelsTheSource() {
    CompletableFuture<String> source = new CompletableFuture<>();
    ask(source).cancel(true);
    assertThat(source).isCancelled();
    assertThat(failovers.ledger().lostByReason()).containsEntry("not_recoverable", 1L);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }

  @Test
  void whatAPartOfTheApplicationThrowsEndsTheCallAndEveryCallIsAccountedFor() {
    IllegalStateException defect = new IllegalStateException("the predicate is broken");
    Failovers broken =
        Failovers.builder(new InMemoryFailoverStore())
            .recoverable(
                failure -> {
                  throw defect;
                })
            .build();

    CompletableFuture<String> answer =
        broken.callLater(spec, List.of("a"), () -> CompletableFuture.failedFuture(down));

    assertThat(answer).isCompletedExceptionally();
    assertThatThrownBy(answer::get).cause().isSameAs(defect);
    assertThat(broken.ledger().lostByReason()).containsEntry("error", 1L);
    assertThat(broken.ledger().heldByPlace()).containsEntry("calls", 0L);
    assertThat(broken.ledger().unaccounted()).isZero();
  }
}
