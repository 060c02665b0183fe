package holdfast.verification.sources;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A Java file as the compiler sees it before it resolves any name.
 *
 * @param file where it comes from
 * @param unit its tree
 * @param trees its comments and positions
 */
record ParsedFile(SourceFile file, CompilationUnitTree unit, DocTrees trees) {

  /** Parses all Java files; the others are left out. */
  static List<ParsedFile> parse(List<SourceFile> files) {
    Map<URI, SourceFile> byUri = new HashMap<>();
    List<JavaFileObject> inputs = new ArrayList<>();
    for (SourceFile file : files) {
      if (file.isJava()) {
        Input input = new Input(file);
        byUri.put(input.toUri(), file);
        inputs.add(input);
      }
    }
    return inputs.isEmpty() ? List.of() : parse(inputs, byUri);
  }

  private static List<ParsedFile> parse(List<JavaFileObject> inputs, Map<URI, SourceFile> byUri) {
    DiagnosticCollector<JavaFileObject> complaints = new DiagnosticCollector<>();
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(
                    null, null, complaints, List.of("--release", "17", "-proc:none"), null, inputs);
    DocTrees trees = DocTrees.instance(task);
    List<ParsedFile> parsed = new ArrayList<>();
    try {
      for (CompilationUnitTree unit : task.parse()) {
        parsed.add(new ParsedFile(byUri.get(unit.getSourceFile().toUri()), unit, trees));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!complaints.getDiagnostics().isEmpty()) {
      throw new IllegalArgumentException(
          "the sources must be Java 17 but: " + complaints.getDiagnostics());
    }
    return parsed;
  }

  boolean hasJavadoc(TreePath path) {
    String comment = trees.getDocComment(path);
    return comment != null && !comment.isBlank();
  }

  /** The source text of a part of the file. */
  String textOf(Tree tree) {
    return file.text()
        .substring(start(tree), (int) trees.getSourcePositions().getEndPosition(unit, tree));
  }

  /** A problem with its place, in the form that editors turn into a link. */
  String problem(Tree tree, String what) {
    return "%s:%d: %s".formatted(file.path(), unit.getLineMap().getLineNumber(start(tree)), what);
  }

  private int start(Tree tree) {
    return (int) trees.getSourcePositions().getStartPosition(unit, tree);
  }

  private static final class Input extends SimpleJavaFileObject {
    private final String text;

    Input(SourceFile file) {
      super(URI.create("string:///" + file.path()), Kind.SOURCE);
      this.text = file.text();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
