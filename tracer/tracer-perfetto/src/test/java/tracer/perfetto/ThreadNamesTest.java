package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tracer.Tracer;

/** Every thread that records has its name in the file, whatever it records with. */
class ThreadNamesTest extends FilesFixture {
  private static final int THREADS = 20;

  /** Runs threads one after the other, and gives their names by their numbers. */
  private static Map<Long, String> run(ThreadFactory threads, Runnable work)
      throws InterruptedException {
    Map<Long, String> names = new TreeMap<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = threads.newThread(work);
      names.put(thread.getId(), thread.getName());
      thread.start();
      thread.join();
    }
    return names;
  }

  private Map<Long, String> namesInTheFiles() throws Exception {
    return entries().stream()
        .collect(
            Collectors.toMap(
                TraceEntry::thread, TraceEntry::threadName, (one, other) -> one, TreeMap::new));
  }

  @Test
  void ofThreadsBeyondTheNumberOfProducers() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).build();
    record(tracer, 0, 1); // takes the rings of the only producer
    Map<Long, String> names =
        run(Threads.daemon("test-worker"), () -> tracer.index().record(STEP, 1, 2, 3));
    run(Threads.daemon("test-noter"), () -> tracer.detail().record(NOTE, "x")).forEach(names::put);
    tracer.start();
    tracer.close();

    names.put(Thread.currentThread().getId(), Thread.currentThread().getName());
    assertThat(namesInTheFiles()).isEqualTo(names);
  }

  @Test
  void ofThreadsThatRecordNothingButCriticalEvents() throws Exception {
    Tracer tracer = started(PerfettoFiles.in(directory));
    Map<Long, String> names =
        run(Threads.daemon("test-fails"), () -> tracer.critical().record(CRASH, "x"));
    tracer.close();

    assertThat(namesInTheFiles()).isEqualTo(names);
  }

  @Test
  void ofVirtualThreadsWithAndWithoutAName() throws Exception {
    Tracer tracer = started(PerfettoFiles.in(directory));
    Map<Long, String> names =
        run(Threads.virtualIfAvailable("test-virtual"), () -> record(tracer, 0, 2));
    run(nameless(), () -> record(tracer, 0, 2))
        .forEach((id, name) -> names.put(id, name.isEmpty() ? "virtual " + id : name));
    tracer.close();

    assertThat(namesInTheFiles()).isEqualTo(names);
  }

  /** Virtual threads as an application starts them, where the JDK has them. */
  private static ThreadFactory nameless() {
    return work -> {
      Thread thread = Threads.virtualIfAvailable("test-virtual").newThread(work);
      thread.setName(isVirtual(thread) ? "" : "platform");
      return thread;
    };
  }

  private static boolean isVirtual(Thread thread) {
    return thread.toString().startsWith("VirtualThread");
  }

  @Test
  void ofThreadsWhoseNumbersShareAPlaceInTheTable() throws Exception {
    Tracer tracer = tracer(PerfettoFiles.in(directory)).peakRate(400_000).build();
    record(tracer, 0, 1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      Thread thread = new Thread(() -> record(tracer, 0, 1), "test-" + i);
      threads.add(thread);
      thread.start();
      thread.join();
    }
    tracer.start();
    tracer.close();

    Map<Long, String> found = namesInTheFiles();
    assertThat(threads)
        .allSatisfy(thread -> assertThat(found).containsEntry(thread.getId(), thread.getName()));
  }
}
