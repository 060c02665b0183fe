package holdfast.verification.reference;

import holdfast.verification.sources.SourceFile;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The names of threads and the classes with locks, in the code and on the page. Stateless. */
final class ConcurrencyPage {
  private static final Pattern COMMENT = Pattern.compile("/\\*[\\s\\S]*?\\*/|//[^\n]*");
  private static final Pattern THREAD_NAME =
      Pattern.compile(
          "\"((?:outbox|eventbus|eventlog|tracer|failover|relay|holdfast)(?:-[a-z]+)+)\"");
  private static final Pattern ENGINE_THREAD =
      Pattern.compile("library(?:\\(\\))? \\+ \"(-[a-z]+)\"");
  private static final Pattern ENGINE_USER = Pattern.compile("new WorkSettings\\(\\s*\"([a-z]+)\"");
  private static final Pattern MAKES_THREADS =
      Pattern.compile("Threads\\.|new Loop\\(|new ClaimLoop\\.Settings\\(");
  private static final Pattern LOCK =
      Pattern.compile("\\bsynchronized\\b|new (?:Reentrant\\w*|Stamped)Lock\\b");
  private static final Pattern WORD = Pattern.compile("`([\\w-]+)`");

  private ConcurrencyPage() {}

  /** The names that threads are created with. */
  static TreeSet<String> threads(List<SourceFile> sources) {
    TreeSet<String> names = new TreeSet<>();
    TreeSet<String> engine = new TreeSet<>(); // threads of the delivery engine, without the library
    TreeSet<String> users = new TreeSet<>();
    for (SourceFile source : sources) {
      String code = COMMENT.matcher(source.text()).replaceAll("");
      if (MAKES_THREADS.matcher(code).find()) {
        THREAD_NAME.matcher(code).results().forEach(name -> names.add(name.group(1)));
        ENGINE_THREAD.matcher(code).results().forEach(end -> engine.add(end.group(1)));
      }
      ENGINE_USER.matcher(code).results().forEach(user -> users.add(user.group(1)));
    }
    users.forEach(user -> engine.forEach(end -> names.add(user + end)));
    return names;
  }

  /** The simple names of classes that lock. */
  static TreeSet<String> locks(List<SourceFile> sources) {
    TreeSet<String> names = new TreeSet<>();
    for (SourceFile source : sources) {
      if (LOCK.matcher(COMMENT.matcher(source.text()).replaceAll("")).find()) {
        names.add(source.path().replaceAll(".*/(\\w+)\\.java", "$1"));
      }
    }
    return names;
  }

  /** The first words in backticks of each row of the table below a heading, up to a bracket. */
  static TreeSet<String> listed(String page, String heading) {
    String section = page.substring(page.indexOf("\n## " + heading + "\n") + heading.length() + 5);
    int end = section.indexOf("\n## ");
    TreeSet<String> names = new TreeSet<>();
    for (String line : (end < 0 ? section : section.substring(0, end)).lines().toList()) {
      if (line.startsWith("| `")) {
        String first = line.substring(1, line.indexOf('|', 1)).replaceAll("\\(.*", "");
        WORD.matcher(first).results().forEach(name -> names.add(name.group(1)));
      }
    }
    return names;
  }
}
