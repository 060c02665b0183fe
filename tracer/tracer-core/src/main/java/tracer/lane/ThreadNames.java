package tracer.lane;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;
import tracer.TraceEvent;
import tracer.ring.RecordFormat;

/**
 * The names of threads that share rings, by their numbers, and which threads are virtual. Safe for
 * use by many threads.
 */
public final class ThreadNames {
  /*
   * A table without locks: a thread notes its own name, at one of two places that follow from its
   * number, before it publishes its first event, so whoever reads the event finds the name. Thousands
   * of threads later another may take the place; a thread that finds another there notes its name
   * anew. Entries cannot change, so it does no harm to read one that is being replaced.
   */
  private static final int BITS = 13;
  private static final int PLACES = 1 << BITS;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;
  private static final @Nullable MethodHandle IS_VIRTUAL = isVirtualIfAvailable();

  private final @Nullable Known[] table = new Known[PLACES];

  private record Known(long thread, String name, boolean isVirtual) {}

  /** No names. */
  public ThreadNames() {}

  /**
   * Notes the name of the current thread, unless it is known.
   *
   * @return the header of its record, which says whether the thread is virtual
   */
  public long mark(Thread thread, long header) {
    long id = RecordFormat.thread(thread.getId());
    Known known = known(id);
    boolean isVirtual = known == null ? note(thread, id) : known.isVirtual;
    return isVirtual ? RecordFormat.virtual(header) : header;
  }

  private @Nullable Known known(long id) {
    Known known = table[first(id)];
    if (known != null && known.thread == id) {
      return known;
    }
    known = table[second(id)];
    return known != null && known.thread == id ? known : null;
  }

  private boolean note(Thread thread, long id) {
    boolean isVirtual = isVirtual(thread);
    String name = shown(thread);
    if (!isVirtual || !name.isEmpty()) { // a virtual thread without a name needs no place
      int place = table[first(id)] == null ? first(id) : second(id);
      table[place] = new Known(id, name, isVirtual);
    }
    return isVirtual;
  }

  private static int first(long id) {
    return (int) id & (PLACES - 1);
  }

  private static int second(long id) {
    return (int) ((id * SCATTER) >>> (Long.SIZE - BITS));
  }

  /** The name of the thread of that number; empty if it has none, or is not known any more. */
  public String of(long thread) {
    Known known = known(thread);
    return known == null ? "" : known.name;
  }

  /** The name of a thread as files show it. */
  static String shown(Thread thread) {
    String name = thread.getName();
    return name.substring(0, Math.min(TraceEvent.LONGEST_NAME, name.length()));
  }

  static boolean isVirtual(Thread thread) {
    if (IS_VIRTUAL == null) {
      return false;
    }
    try {
      return (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Error e) { // of a stack that ends here
      throw e;
    } catch (Throwable e) { // declared by method handles; the method itself throws nothing
      throw new IllegalStateException("Thread.isVirtual failed", e);
    }
  }

  // This code is compiled for a JDK that does not know Thread.isVirtual(), so it is looked up.
  private static @Nullable MethodHandle isVirtualIfAvailable() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }
}
