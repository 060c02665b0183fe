package holdfast.verification.reference;

import holdfast.verification.sources.SourceFile;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of threads and the classes with locks, in the code and on the page. Stateless. */
final class ConcurrencyPage {
  private static final Pattern COMMENT = Pattern.compile("/\\*[\\s\\S]*?\\*/|//[^\n]*");
  private static final Pattern THREAD_NAME =
      Pattern.compile("\"((?:outbox|eventbus|eventlog|tracer|failover|holdfast)(?:-[a-z]+)+)\"");
  private static final Pattern WRITER = Pattern.compile("new MarkWriter<>\\(\\s*\"([a-z]+)\"");
  private static final Pattern LOCK =
      Pattern.compile("\\bsynchronized\\b|new (?:Reentrant\\w*|Stamped)Lock\\b");
  private static final Pattern WORD = Pattern.compile("`([\\w-]+)`");

  private ConcurrencyPage() {}

  /** The names that threads are created with. */
  static TreeSet<String> threads(List<SourceFile> sources) {
    TreeSet<String> names = new TreeSet<>();
    for (SourceFile source : sources) {
      String code = COMMENT.matcher(source.text()).replaceAll("");
      if (code.contains("Threads.") || code.contains("new Loop(")) {
        THREAD_NAME.matcher(code).results().forEach(name -> names.add(name.group(1)));
      }
      Matcher writer = WRITER.matcher(code);
      if (writer.find()) {
        names.add(writer.group(1) + "-status");
      }
    }
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
