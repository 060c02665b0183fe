package holdfast.lifecycle;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Where all threads come from: named after their work and counted from 1 ({@code outbox-worker-1}),
 * and never the reason that a process does not end. Safe for use by many threads.
 */
public final class Threads {
  private static final int FIRST_JDK_WITH_VIRTUAL_THREADS = 21;

  private Threads() {}

  /**
   * A factory of daemon threads.
   *
   * @param name what the threads do
   * @return the factory; it counts its threads
   */
  public static ThreadFactory daemon(String name) {
    return daemon(null, name);
  }

  /**
   * A factory of daemon threads that belong to a thread group.
   *
   * @param group the group; null for that of the thread that makes each of them
   * @param name what the threads do
   * @return the factory; it counts its threads
   */
  public static ThreadFactory daemon(@Nullable ThreadGroup group, String name) {
    AtomicLong made = new AtomicLong();
    return task -> {
      // Without the inheritable thread locals of whoever happens to start it.
      Thread thread = new Thread(group, task, name + "-" + made.incrementAndGet(), 0, false);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * A factory of virtual threads where the running JDK has them, of daemon threads elsewhere.
   *
   * @param name what the threads do
   * @return the factory; it counts its threads
   */
  public static ThreadFactory virtualIfAvailable(String name) {
    return virtualAvailable() ? virtual(name) : daemon(name);
  }

  /** Returns whether the JVM ends: its shutdown hooks run. */
  public static boolean isJvmEnding() {
    Thread hook = new Thread(() -> {});
    try { // a JVM that ends refuses hooks; there is no other way to ask
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Whether the running JDK has virtual threads. */
  public static boolean virtualAvailable() {
    return Runtime.version().feature() >= FIRST_JDK_WITH_VIRTUAL_THREADS;
  }

  // This code is compiled for a JDK that does not know Thread.ofVirtual(), so it is looked up.
  private static ThreadFactory virtual(String name) {
    try {
      Class<?> builderType = Class.forName("java.lang.Thread$Builder");
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      builderType.getMethod("name", String.class, long.class).invoke(builder, name + "-", 1L);
      return (ThreadFactory) builderType.getMethod("factory").invoke(builder);
    } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalStateException("JDK " + Runtime.version() + " lacks virtual threads", e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("virtual threads cannot be made", e.getCause());
    }
  }
}
