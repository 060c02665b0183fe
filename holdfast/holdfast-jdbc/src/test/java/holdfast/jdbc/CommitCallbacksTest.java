package holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import holdfast.testkit.log.CapturedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** What waits for the end of a transaction. */
class CommitCallbacksTest {
  private final CommitCallbacks callbacks = new CommitCallbacks("shop");
  private final List<String> happened = new ArrayList<>();

  private void waitFor(String name) {
    callbacks.afterCommit(() -> happened.add(name), () -> happened.add(name + "?"));
    callbacks.afterRollback(() -> happened.add("not " + name));
  }

  @Test
  void allAreToldOfTheCommitOrOfTheRollbackInOrder() {
    waitFor("a");
    waitFor("b");

    callbacks.committed();
    callbacks.rolledBack();

    assertThat(happened).containsExactly("a", "b", "not a", "not b");
  }

  @Test
  void theFirstIsAskedForAll() {
    callbacks.check();
    waitFor("a");
    waitFor("b");
    callbacks.check();
    assertThat(happened).containsExactly("a?");

    CommitCallbacks lost = new CommitCallbacks("shop");
    lost.afterCommit(
        () -> {},
        () -> {
          throw new IllegalStateException("lost");
        });
    assertThatIllegalStateException().isThrownBy(lost::check).withMessage("lost");
  }

  @Test
  void whatASavepointTookBackIsForgotten() {
    waitFor("a");
    int savepoint = callbacks.count();
    waitFor("b");
    callbacks.forgetAfter(savepoint);
    callbacks.forgetAfter(5);
    waitFor("c");

    callbacks.committed();

    assertThat(happened).containsExactly("a", "c");
  }

  @Test
  void oneThatFailsIsLoggedAndTheOthersStillRun() {
    callbacks.afterCommit(
        () -> {
          throw new IllegalStateException("no");
        },
        () -> {});
    waitFor("b");

    try (CapturedLog log = new CapturedLog("shop")) {
      callbacks.committed();

      assertThat(log.messages(Level.SEVERE))
          .containsExactly("shop callback failed; the others still run");
    }
    assertThat(happened).containsExactly("b");
  }
}
