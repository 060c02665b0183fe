package holdfast.testkit.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The numbering of changes, and the decision what becomes of each.
 *
 * <p>One lock covers the numbering, the decision and the change itself, so changes happen one after
 * another in the order of their numbers, and nothing changes after a crash. Safe for use by many
 * threads.
 */
final class FaultPlan {

  /** The part of a write that is to be done: its first so many bytes. */
  interface Portion {
    int write(int bytes) throws IOException;
  }

  private interface Effect<T> {
    T apply(Op op) throws IOException;
  }

  private record Rule(Predicate<Op> condition, Supplier<IOException> failure) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Op> operations = new ArrayList<>();
  private final List<Rule> rules = new ArrayList<>();
  private final Map<Long, Integer> shortWrites = new HashMap<>();
  private final ProcessLife life;
  private long crashAfter = Long.MAX_VALUE;

  FaultPlan(ProcessLife life) {
    this.life = life;
  }

  void failAt(long number, Supplier<IOException> failure) {
    locked(
        () -> {
          requireAhead(number);
          rules.add(new Rule(op -> op.number() == number, failure));
        });
  }

  void failWhen(Predicate<Op> condition, Supplier<IOException> failure) {
    locked(() -> rules.add(new Rule(condition, failure)));
  }

  void shortWriteAt(long number, int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must be zero or more but was " + bytes);
    }
    locked(
        () -> {
          requireAhead(number);
          shortWrites.put(number, bytes);
        });
  }

  void crashAfter(long number) {
    locked(
        () -> {
          crashAfter = number;
          if (operations.size() >= number) {
            crash("after operation " + operations.size());
          }
        });
  }

  void mend() {
    locked(
        () -> {
          rules.clear();
          shortWrites.clear();
          crashAfter = Long.MAX_VALUE;
        });
  }

  List<Op> operations() {
    lock.lock();
    try {
      return List.copyOf(operations);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the process when the change in progress is complete. */
  void crash(String when) {
    locked(() -> life.end(when));
  }

  /** Does something that no change may come between. */
  <T> T exclusively(IoCall<T> call) throws IOException {
    lock.lock();
    try {
      return call.run();
    } finally {
      lock.unlock();
    }
  }

  /** Does a change other than a write, or fails in its place. */
  <T> T change(FileOperation operation, String path, String target, IoCall<T> effect)
      throws IOException {
    return numbered(
        operation,
        path,
        target,
        op -> {
          if (shortWrites.remove(op.number()) != null) {
            throw new IOException("nothing of operation " + op + " took effect, as planned");
          }
          return effect.run();
        });
  }

  /** Does a write, or a part of it, or fails in its place. */
  int write(String path, int length, Portion effect) throws IOException {
    return numbered(
        FileOperation.WRITE,
        path,
        path,
        op -> {
          Integer limit = shortWrites.remove(op.number());
          if (limit == null) {
            return effect.write(length);
          }
          int written = limit == 0 ? 0 : effect.write(Math.min(limit, length));
          throw new IOException(
              "only "
                  + written
                  + " of "
                  + length
                  + " bytes of operation "
                  + op
                  + " reached the file, as planned");
        });
  }

  private <T> T numbered(FileOperation operation, String path, String target, Effect<T> effect)
      throws IOException {
    lock.lock();
    try {
      life.requireAlive();
      Op op = new Op(operations.size() + 1, operation, path, target);
      operations.add(op);
      try {
        refuseIfPlanned(op);
        return effect.apply(op);
      } finally {
        if (op.number() >= crashAfter) {
          crash("after operation " + op);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void refuseIfPlanned(Op op) throws IOException {
    for (Rule rule : rules) {
      if (rule.condition().test(op)) {
        throw rule.failure().get();
      }
    }
  }

  private void requireAhead(long number) {
    if (number <= operations.size()) {
      throw new IllegalArgumentException(
          "number must be more than "
              + operations.size()
              + ", the changes done so far, but was "
              + number
              + "; plan faults before the change they are for");
    }
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }
}
