package holdfast.verification.architecture;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The calls by which code helps itself to time or threads. Waiting for something with a time limit
 * is not among them; waiting for nothing but time is.
 */
final class UnwantedCalls {

  private static final String CLOCK = "takes a TimeSource instead";
  private static final String SLEEP = "waits on an Alarm instead";
  private static final String THREAD = "takes its threads from holdfast.lifecycle instead";

  private static final String CONSTRUCTOR = "<init>";
  private static final String THREAD_FACTORY = "java.util.concurrent.ThreadFactory";

  private UnwantedCalls() {}

  /** What the caller does instead, or nothing if the call is welcome. */
  static Optional<String> objection(String owner, String name, List<String> parameters) {
    if (readsClock(owner, name, parameters)) {
      return Optional.of(CLOCK);
    }
    if (sleeps(owner, name)) {
      return Optional.of(SLEEP);
    }
    if (makesThread(owner, name, parameters) || borrowsThread(owner, name, parameters)) {
      return Optional.of(THREAD);
    }
    return Optional.empty();
  }

  private static boolean readsClock(String owner, String name, List<String> parameters) {
    return switch (owner) {
      case "java.lang.System" -> Set.of("currentTimeMillis", "nanoTime").contains(name);
      case "java.time.Clock" ->
          name.startsWith("system")
              || Set.of("tickMillis", "tickSeconds", "tickMinutes").contains(name);
      case "java.time.InstantSource" -> name.equals("system");
      case "java.util.Date" -> name.equals(CONSTRUCTOR) && parameters.isEmpty();
      case "java.util.Calendar" -> name.equals("getInstance");
      default ->
          owner.startsWith("java.time.")
              && name.equals("now")
              && !parameters.contains("java.time.Clock");
    };
  }

  private static boolean sleeps(String owner, String name) {
    return switch (owner) {
      case "java.lang.Thread", "java.util.concurrent.TimeUnit" -> name.equals("sleep");
      case "java.util.concurrent.locks.LockSupport" ->
          Set.of("parkNanos", "parkUntil").contains(name);
      default -> false;
    };
  }

  private static boolean makesThread(String owner, String name, List<String> parameters) {
    return switch (owner) {
      case "java.lang.Thread" ->
          Set.of(CONSTRUCTOR, "ofVirtual", "ofPlatform", "startVirtualThread").contains(name);
      case "java.util.Timer", "java.util.concurrent.ForkJoinPool" -> name.equals(CONSTRUCTOR);
      case "java.util.concurrent.Executors" ->
          name.endsWith("ThreadFactory")
              || (name.startsWith("new") && !parameters.contains(THREAD_FACTORY));
      case "java.util.concurrent.ThreadPoolExecutor",
          "java.util.concurrent.ScheduledThreadPoolExecutor" ->
          name.equals(CONSTRUCTOR) && !parameters.contains(THREAD_FACTORY);
      default -> false;
    };
  }

  /** The JDK's own threads: the common pool, and the timer behind completable futures. */
  private static boolean borrowsThread(String owner, String name, List<String> parameters) {
    return switch (owner) {
      case "java.util.concurrent.ForkJoinPool" -> name.equals("commonPool");
      case "java.util.concurrent.CompletableFuture", "java.util.concurrent.CompletionStage" ->
          Set.of("delayedExecutor", "orTimeout", "completeOnTimeout").contains(name)
              || (name.endsWith("Async") && !parameters.contains("java.util.concurrent.Executor"));
      default ->
          owner.startsWith("java.util.") && Set.of("parallel", "parallelStream").contains(name);
    };
  }
}
