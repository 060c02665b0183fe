package tour;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What one sees: on a terminal a picture that is drawn again and again, elsewhere a line for each
 * thing that happens. Safe for use by many threads.
 */
final class View {
  private static final int LATEST = 8;
  private static final String CLEAR_TO_END = "\u001b[K";
  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[0m";

  // A line too long for the terminal is cut; if it went on below, the picture would grow.
  private static final String CUT = "\u001b[?7l";
  private static final String GO_ON_BELOW = "\u001b[?7h";

  private final PrintStream out;
  private final boolean live;
  private final String title;
  private final Status status;
  private final long startedAt = System.nanoTime();
  private final Deque<String> latest = new ArrayDeque<>();
  private final Thread painter = new Thread(this::paintAgainAndAgain, "view");
  private String help = "";
  private int painted;
  private volatile boolean ended;

  View(PrintStream out, boolean live, String title, Status status) {
    this.out = out;
    this.live = live;
    this.title = title;
    this.status = status;
    if (live) {
      painter.start();
    } else {
      out.println(title);
    }
  }

  /** What stays below the picture. */
  synchronized void help(String text) {
    help = text;
    if (!live) {
      out.println(text);
    }
  }

  /** Something happened. */
  synchronized void say(String text) {
    String line = String.format(Locale.ROOT, "%5.1f s  %s", seconds(), text);
    if (live) {
      latest.addLast(line);
      if (latest.size() > LATEST) {
        latest.removeFirst();
      }
    } else {
      out.println(line);
      out.println(status.shortLine());
    }
  }

  private double seconds() {
    return (System.nanoTime() - startedAt) / 1e9;
  }

  private void paintAgainAndAgain() {
    try {
      while (!ended) {
        paint(status.lines());
        TimeUnit.MILLISECONDS.sleep(250);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void paint(List<String> libraries) {
    StringBuilder picture = new StringBuilder(CUT);
    if (painted > 0) {
      picture.append("\u001b[").append(painted).append('A');
    }
    append(picture, BOLD + title + PLAIN + String.format(Locale.ROOT, "  %.0f s", seconds()));
    append(picture, "");
    libraries.forEach(library -> append(picture, "  " + library));
    append(picture, "");
    latest.forEach(line -> append(picture, line));
    append(picture, help);
    painted = libraries.size() + 4 + latest.size();
    out.print(picture.append(GO_ON_BELOW));
    out.flush();
  }

  private static void append(StringBuilder picture, String line) {
    picture.append('\r').append(line).append(CLEAR_TO_END).append('\n');
  }

  /** Draws for the last time. */
  void end() throws InterruptedException {
    ended = true;
    if (live) {
      painter.join();
      paint(status.lines());
    }
  }
}
