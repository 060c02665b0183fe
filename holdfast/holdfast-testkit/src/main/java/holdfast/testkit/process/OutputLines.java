package holdfast.testkit.process;

import holdfast.time.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The complete lines of a stream, read by a thread of its own until the stream ends. Safe for use
 * by many threads.
 */
final class OutputLines {

  private final List<String> lines = new ArrayList<>(); // guarded by this
  private boolean ended; // guarded by this
  private @Nullable IOException failure; // guarded by this
  private final Thread reader;

  OutputLines(InputStream stream, String name) {
    reader = new Thread(() -> read(stream), name);
    reader.setDaemon(true);
    reader.start();
  }

  private void read(InputStream stream) {
    try (Reader characters =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      StringBuilder line = new StringBuilder();
      // Not readLine: it would also return the torn line that a kill leaves at the end.
      for (int c = characters.read(); c >= 0; c = characters.read()) {
        if (c == '\n') {
          add(line.toString());
          line.setLength(0);
        } else {
          line.append((char) c);
        }
      }
    } catch (IOException e) {
      fail(e);
    } finally {
      end();
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void fail(IOException e) {
    failure = e;
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  /**
   * The lines so far.
   *
   * @throws UncheckedIOException if the stream could not be read to its end
   */
  synchronized List<String> all() {
    if (failure != null) {
      throw new UncheckedIOException("cannot read the " + reader.getName(), failure);
    }
    return List.copyOf(lines);
  }

  /**
   * Waits until something is found in the lines so far.
   *
   * @return what was found, or null if the stream ended or the time passed before
   */
  synchronized <T> @Nullable T await(Function<List<String>, @Nullable T> find, Duration timeout)
      throws InterruptedException {
    TimeSource time = TimeSource.system();
    long start = time.nanoTime();
    @Nullable T found = find.apply(lines);
    while (found == null && !ended) {
      long left = TimeUnit.NANOSECONDS.convert(timeout) - (time.nanoTime() - start);
      if (left <= 0) {
        return null;
      }
      // Rounded up, so that the last fraction of a millisecond is not a wait without end.
      wait(left / 1_000_000 + 1);
      found = find.apply(lines);
    }
    return found;
  }

  /** Waits until the stream has been read to its end, and says whether it was. */
  boolean awaitEnd(Duration timeout) throws InterruptedException {
    reader.join(TimeUnit.MILLISECONDS.convert(timeout));
    return !reader.isAlive();
  }
}
