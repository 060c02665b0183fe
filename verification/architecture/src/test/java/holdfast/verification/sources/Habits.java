package holdfast.verification.sources;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds code that hides something: a skipped test, a lost exception, a guess about time. */
final class Habits {

  private static final Pattern SLEEPER =
      Pattern.compile(
          "(.*\\.)?(Thread|NANOSECONDS|MICROSECONDS|MILLISECONDS|SECONDS|MINUTES|HOURS|DAYS)");

  private Habits() {}

  /** One line for each bad habit in the Java files among the files. */
  static List<String> bad(List<SourceFile> files) {
    List<String> found = new ArrayList<>();
    for (ParsedFile file : ParsedFile.parse(files)) {
      new Scanner(file, found).scan(file.unit(), null);
    }
    return found;
  }

  private static final class Scanner extends TreeScanner<Void, Void> {
    private final ParsedFile file;
    private final List<String> found;

    Scanner(ParsedFile file, List<String> found) {
      this.file = file;
      this.found = found;
    }

    @Override
    public Void visitAnnotation(AnnotationTree annotation, Void unused) {
      String type = annotation.getAnnotationType().toString();
      String name = type.substring(type.lastIndexOf('.') + 1);
      if (name.startsWith("Disabled")) {
        report(annotation, "a test is switched off");
      }
      if (name.equals("SuppressWarnings")
          && annotation.getArguments().toString().contains("\"all\"")) {
        report(annotation, "all warnings are suppressed; name the one that is meant");
      }
      return super.visitAnnotation(annotation, null);
    }

    /** A comment in the block counts as content: it says why nothing is done. */
    @Override
    public Void visitCatch(CatchTree caught, Void unused) {
      String block = file.textOf(caught.getBlock());
      if (block.substring(1, block.length() - 1).isBlank()) {
        report(caught, "an exception is caught and lost");
      }
      return super.visitCatch(caught, null);
    }

    /** Calls and static imports are selections both. */
    @Override
    public Void visitMemberSelect(MemberSelectTree select, Void unused) {
      reportSleep(select, select.getExpression(), select.getIdentifier().toString());
      return super.visitMemberSelect(select, null);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree reference, Void unused) {
      reportSleep(reference, reference.getQualifierExpression(), reference.getName().toString());
      return super.visitMemberReference(reference, null);
    }

    private void reportSleep(Tree where, Tree sleeper, String method) {
      if (file.file().isTest()
          && method.equals("sleep")
          && SLEEPER.matcher(sleeper.toString()).matches()) {
        report(where, "a test sleeps; wait for what it is waiting for");
      }
    }

    private void report(Tree where, String what) {
      found.add(file.problem(where, what));
    }
  }
}
