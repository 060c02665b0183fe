package holdfast.jdbc;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.log.LibraryLogger;
import java.util.ArrayList;
import java.util.List;

/**
 * What waits for the end of one transaction that a framework or the application leads. Confined to
 * the thread of the transaction.
 */
public final class CommitCallbacks {
  private final String library;
  private final List<Waiting> afterCommit = new ArrayList<>();
  private final List<Runnable> afterRollback = new ArrayList<>();

  private record Waiting(Runnable callback, Runnable check) {}

  /**
   * Creates a list without callbacks.
   *
   * @param library the library that the callbacks are for: it names the logger and begins its lines
   */
  public CommitCallbacks(String library) {
    this.library = library;
  }

  /**
   * Adds what is to run after the commit.
   *
   * @param callback what to run
   * @param check throws if the transaction is lost by then
   */
  public void afterCommit(Runnable callback, Runnable check) {
    afterCommit.add(new Waiting(callback, check));
  }

  /** Adds what is to run after a rollback. */
  public void afterRollback(Runnable callback) {
    afterRollback.add(callback);
  }

  /** How many callbacks wait for the commit now; a savepoint remembers it. */
  public int count() {
    return afterCommit.size();
  }

  /** Forgets the callbacks that came after a savepoint; they belong to what it took back. */
  public void forgetAfter(int count) {
    afterCommit.subList(Math.min(count, afterCommit.size()), afterCommit.size()).clear();
  }

  /**
   * Asks whether the transaction can be committed, by the first callback alone: a database that
   * gives a transaction up takes everything back, and what came first most of all.
   *
   * @throws RuntimeException if it cannot
   */
  public void check() {
    if (!afterCommit.isEmpty()) {
      afterCommit.get(0).check().run();
    }
  }

  /** Runs what waits for the commit. */
  public void committed() {
    runAll(afterCommit.stream().map(Waiting::callback).toList());
  }

  /** Runs what waits for a rollback. */
  public void rolledBack() {
    runAll(List.copyOf(afterRollback));
  }

  private void runAll(List<Runnable> callbacks) {
    for (Runnable callback : callbacks) {
      try {
        callback.run();
      } catch (RuntimeException e) {
        LibraryLogger.of(library).log(ERROR, library + " callback failed; the others still run", e);
      }
    }
  }
}
