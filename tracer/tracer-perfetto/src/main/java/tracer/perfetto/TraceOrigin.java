package tracer.perfetto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import tracer.sink.TraceStart;

/**
 * The process that writes a file, and the numbers that follow from it: no two processes have the
 * same, so their files can be joined. Immutable.
 *
 * @param host the name of the machine, or of the container
 * @param pid the number of the process
 * @param processName its name
 * @param sequence the number of the sequence that all packets are of
 * @param tracks the upper half of the numbers of all tracks
 */
record TraceOrigin(String host, long pid, String processName, int sequence, long tracks) {
  /*
   * Sizes on disk decide the number of bits. A sequence has 28, the highest is one, so it takes four
   * bytes in each event. A track has 31 bits for the process and 32 for the thread: nine bytes.
   */
  private static final int SEQUENCE_MASK = (1 << 27) - 1;
  private static final int SEQUENCE_BIT = 1 << 27;
  private static final int THREAD_BITS = 32;
  private static final long LEAST_SHOWN_PID = 1L << 30; // more than any real one
  private static final long LOSS = 0xFFFF_FFFFL;
  private static final long VIRTUAL_THREADS = 0xFFFF_FFFEL;

  /** The origin of a tracer of this process that started then. */
  static TraceOrigin of(TraceStart start, String processName) {
    ProcessHandle process = ProcessHandle.current();
    Instant began = process.info().startInstant().orElse(start.instant());
    return of(hostName(), process.pid(), began, processName, start);
  }

  /** The origin of a tracer of a process that began then. */
  static TraceOrigin of(
      String host, long pid, Instant began, String processName, TraceStart start) {
    long ofProcess = hash(host + " " + pid + " " + began);
    long ofTracer = hash(ofProcess + " " + start.instant() + " " + start.nanoTime());
    return new TraceOrigin(
        host,
        pid,
        processName,
        ((int) ofTracer & SEQUENCE_MASK) | SEQUENCE_BIT,
        (ofProcess >>> (THREAD_BITS + 1)) << THREAD_BITS);
  }

  /** Returns 64 bits, all of which depend on each character. */
  private static long hash(String text) {
    long hash = 0;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 32;
    }
    return hash;
  }

  /** Returns the main class or the jar of this process, without its arguments. */
  static String defaultProcessName() {
    String command = System.getProperty("sun.java.command", "").strip();
    int end = command.indexOf(' ');
    String main = end < 0 ? command : command.substring(0, end);
    String name = main.substring(main.lastIndexOf('/') + 1);
    return name.isEmpty() ? "java" : name;
  }

  /** Asks no name server: that may take long. */
  private static String hostName() {
    for (String variable : new String[] {"HOSTNAME", "COMPUTERNAME"}) {
      String name = System.getenv(variable);
      if (name != null && !name.isBlank()) {
        return name.strip();
      }
    }
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "localhost"; // a system without that file
    }
  }

  /**
   * The number of the process in files, which no other process has: a viewer takes processes of the
   * same number for one, and their threads of the same number, whatever host they are of. The label
   * of the process says its real number.
   */
  long shownPid() {
    return LEAST_SHOWN_PID | (tracks >>> (THREAD_BITS + 1));
  }

  long processTrack() {
    return tracks;
  }

  long lossTrack() {
    return tracks | LOSS;
  }

  /** The track above those of virtual threads. */
  long virtualThreadsTrack() {
    return tracks | VIRTUAL_THREADS;
  }

  /** The track of a thread; its number has 32 bits. */
  long threadTrack(long thread) {
    return tracks | thread;
  }

  /** The track of the asynchronous spans of a kind that have an id. */
  long asyncTrack(int event, long id) {
    return other(mixed(mixed(tracks + event) + id));
  }

  /** The track of a counter. */
  long counterTrack(int event) {
    return other(mixed(tracks - event));
  }

  /** The highest bit tells these tracks from those of threads. */
  private static long other(long number) {
    return number | Long.MIN_VALUE;
  }

  private static long mixed(long number) {
    long mixed = (number ^ (number >>> 32)) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }

  /** The number of the thread that a track is of; 0 if it is of none. */
  static long threadOf(long track) {
    if (track < 0) {
      return 0;
    }
    long thread = track & LOSS;
    return thread < VIRTUAL_THREADS ? thread : 0;
  }
}
