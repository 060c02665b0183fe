package holdfast.verification.sources;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;

/**
 * Finds what users of a library can see and nobody has described: types, methods, constants and
 * fields. Constructors are described by their class, record components by their record, overriding
 * methods by what they override.
 */
final class ApiDocumentation {

  private static final Set<Tree.Kind> INTERFACES =
      Set.of(Tree.Kind.INTERFACE, Tree.Kind.ANNOTATION_TYPE);

  private ApiDocumentation() {}

  /** One line for each place without a description in the main sources among the files. */
  static List<String> gaps(List<SourceFile> files) {
    List<String> gaps = new ArrayList<>();
    for (ParsedFile file : ParsedFile.parse(files.stream().filter(SourceFile::isMain).toList())) {
      new Scanner(file, gaps).scan(file.unit(), null);
    }
    return gaps;
  }

  /** Enters visible types only, and no bodies: what is inside cannot be seen from outside. */
  private static final class Scanner extends TreePathScanner<Void, Void> {
    private final ParsedFile file;
    private final List<String> gaps;

    Scanner(ParsedFile file, List<String> gaps) {
      this.file = file;
      this.gaps = gaps;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      if (isVisible(type.getModifiers())) {
        requireJavadoc(type.getSimpleName().toString());
        scan(type.getMembers(), null);
      }
      return null;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      boolean constructor = method.getReturnType() == null;
      if (!constructor && isVisible(method.getModifiers()) && !overrides(method)) {
        requireJavadoc(method.getName() + "(…)");
      }
      return null;
    }

    @Override
    public Void visitVariable(VariableTree field, Void unused) {
      if (isVisible(field.getModifiers())) {
        requireJavadoc(field.getName().toString());
      }
      return null;
    }

    private void requireJavadoc(String name) {
      if (!file.hasJavadoc(getCurrentPath())) {
        gaps.add(file.problem(getCurrentPath().getLeaf(), name + " has no Javadoc"));
      }
    }

    private boolean isVisible(ModifiersTree modifiers) {
      Set<Modifier> flags = modifiers.getFlags();
      return flags.contains(Modifier.PUBLIC)
          || flags.contains(Modifier.PROTECTED)
          || (isInInterface() && !flags.contains(Modifier.PRIVATE));
    }

    private boolean isInInterface() {
      return INTERFACES.contains(getCurrentPath().getParentPath().getLeaf().getKind());
    }

    private static boolean overrides(MethodTree method) {
      return method.getModifiers().getAnnotations().stream()
          .map(AnnotationTree::getAnnotationType)
          .anyMatch(type -> type.toString().equals("Override"));
    }
  }
}
