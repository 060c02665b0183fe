package benchmarks.tracer;

/** An event as an object, for queues of objects. */
record Event(long time, long thread, int kind, long a, long b) {
  static Event now(long a, long b) {
    return new Event(System.nanoTime(), Thread.currentThread().getId(), Recorder.KIND, a, b);
  }

  long sum() {
    return time + thread + kind + a + b;
  }
}
