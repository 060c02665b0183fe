import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What one event did: the entries of the threads that had to do with it. A thread that entered only
 * methods which are also entered while idle is left out.
 */
record Walk(Map<String, List<Entry>> byThread, Map<String, Integer> leftOut) {
  private static final int MOST_CHANGES = 20;

  /** One method entry; the depth counts the library's own frames. */
  record Entry(String thread, int depth, String type, String file, String method, boolean oneLine) {

    /** The folder of the source file, so that nested types belong to their file's package. */
    String packageName() {
      return file.contains("/") ? file.substring(0, file.lastIndexOf('/')).replace('/', '.') : "";
    }

    String name() {
      return type + "." + method;
    }
  }

  static Walk of(List<Entry> entries, Set<String> whileIdle) {
    Map<String, List<Entry>> byThread =
        entries.stream()
            .collect(Collectors.groupingBy(Entry::thread, LinkedHashMap::new, Collectors.toList()));
    Map<String, Integer> leftOut = new TreeMap<>();
    byThread.forEach(
        (name, thread) -> {
          if (thread.stream().allMatch(entry -> whileIdle.contains(entry.name()))) {
            leftOut.put(name, thread.size());
          }
        });
    byThread.keySet().removeAll(leftOut.keySet());
    return new Walk(byThread, leftOut);
  }

  /** The same walk as a reader takes it who does not step into what one line says. */
  Walk withoutAccessors() {
    Map<String, List<Entry>> others = new LinkedHashMap<>();
    byThread.forEach(
        (name, thread) -> {
          boolean[] accessors = accessors(thread);
          others.put(
              name,
              IntStream.range(0, thread.size())
                  .filter(i -> !accessors[i])
                  .mapToObj(thread::get)
                  .toList());
        });
    return new Walk(others, leftOut);
  }

  /** Which entries are of one line and have nothing but such entries below them. */
  private static boolean[] accessors(List<Entry> thread) {
    boolean[] accessors = new boolean[thread.size()];
    for (int i = thread.size() - 1; i >= 0; i--) {
      accessors[i] = thread.get(i).oneLine();
      for (int below = i + 1;
          below < thread.size() && thread.get(below).depth() > thread.get(i).depth();
          below++) {
        accessors[i] &= accessors[below];
      }
    }
    return accessors;
  }

  private Stream<Entry> entries() {
    return byThread.values().stream().flatMap(List::stream);
  }

  int files() {
    return files(entries());
  }

  private static int files(Stream<Entry> entries) {
    return (int) entries.map(Entry::file).distinct().count();
  }

  int changes() {
    return byThread.values().stream().mapToInt(thread -> changes(thread).size()).sum();
  }

  /** Each pair of entries of a thread that follow each other and differ in their package. */
  private static List<String> changes(List<Entry> thread) {
    List<String> changes = new ArrayList<>();
    for (int i = 1; i < thread.size(); i++) {
      String from = thread.get(i - 1).packageName();
      String to = thread.get(i).packageName();
      if (!from.equals(to)) {
        changes.add(from + " -> " + to);
      }
    }
    return changes;
  }

  String figures() {
    return figures(files(), changes(), (int) entries().count());
  }

  private static String figures(int files, int changes, int entries) {
    return "%d files, %d package changes, %d method entries".formatted(files, changes, entries);
  }

  void print(PrintStream out, boolean verbose) {
    byThread.forEach(
        (name, thread) ->
            out.printf(
                "  thread %s: %s%n",
                name, figures(files(thread.stream()), changes(thread).size(), thread.size())));
    leftOut.forEach(
        (name, entries) ->
            out.printf(
                "  left out: thread %s, %d method entries, all of them also seen while idle%n",
                name, entries));
    Walk shorter = withoutAccessors();
    out.printf("all methods:       %s%n", figures());
    out.printf("without accessors: %s%n", shorter.figures());
    if (verbose) {
      printPath(out);
      out.printf("%nmost frequent package changes, all methods%n");
      printChanges(out);
      out.printf("%nmost frequent package changes, without accessors%n");
      shorter.printChanges(out);
      printFiles(out, shorter.entries().map(Entry::file).collect(Collectors.toSet()));
    }
  }

  private void printPath(PrintStream out) {
    out.printf("%nthe path; > after a package change, - an accessor%n");
    byThread.forEach(
        (name, thread) -> {
          out.printf("%nthread %s%n", name);
          int outermost = thread.stream().mapToInt(Entry::depth).min().orElse(0);
          boolean[] accessors = accessors(thread);
          for (int i = 0; i < thread.size(); i++) {
            Entry entry = thread.get(i);
            boolean changed = i > 0 && !entry.packageName().equals(thread.get(i - 1).packageName());
            out.printf(
                "%s%s %s%s.%s%n",
                changed ? ">" : " ",
                accessors[i] ? "-" : " ",
                "  ".repeat(entry.depth() - outermost),
                entry.packageName(),
                entry.name());
          }
        });
  }

  private void printChanges(PrintStream out) {
    Map<String, Integer> counts = new TreeMap<>();
    byThread
        .values()
        .forEach(thread -> changes(thread).forEach(c -> counts.merge(c, 1, Integer::sum)));
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(MOST_CHANGES)
        .forEach(change -> out.printf("%4d %s%n", change.getValue(), change.getKey()));
  }

  private void printFiles(PrintStream out, Set<String> needed) {
    out.printf("%nfiles and the methods entered; - only accessors%n");
    Map<String, Set<String>> methods = new TreeMap<>();
    entries()
        .forEach(
            entry ->
                methods
                    .computeIfAbsent(entry.file(), file -> new LinkedHashSet<>())
                    .add(entry.method()));
    methods.forEach(
        (file, names) ->
            out.printf(
                "%s %s: %s%n", needed.contains(file) ? " " : "-", file, String.join(", ", names)));
  }
}
