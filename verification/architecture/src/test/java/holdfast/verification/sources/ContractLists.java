package holdfast.verification.sources;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds what is wrong with the lists of what libraries promise, {@code docs/*-contract.md}: each
 * row of a table ends with the tests that fail when the promise is broken, and each of them exists.
 */
final class ContractLists {

  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final Set<String> TEST_ANNOTATIONS =
      Set.of("Test", "ParameterizedTest", "RepeatedTest", "EachDatabase", "TestFactory");

  private ContractLists() {}

  /** One line for each row without a test, and for each test that is not there. */
  static List<String> mistakes(List<Document> documents, List<SourceFile> files) {
    Set<String> tests = testsIn(files);
    return documents.stream()
        .filter(document -> document.path().matches("docs/[\\w-]+-contract\\.md"))
        .flatMap(document -> mistakes(document, tests))
        .toList();
  }

  private static Stream<String> mistakes(Document document, Set<String> tests) {
    return document
        .text()
        .lines()
        .filter(line -> line.startsWith("|") && !line.startsWith("|---") && !isHeading(line))
        .flatMap(row -> mistakes(row, tests))
        .map(mistake -> document.path() + ": " + mistake);
  }

  private static boolean isHeading(String row) {
    return row.replace(" ", "").endsWith("|test|");
  }

  private static Stream<String> mistakes(String row, Set<String> tests) {
    String withoutEnd = row.strip().replaceFirst("\\|$", "");
    String last = withoutEnd.substring(withoutEnd.lastIndexOf('|') + 1);
    List<String> named = TEST.matcher(last).results().map(ContractLists::name).toList();
    return named.isEmpty()
        ? Stream.of("names no test: " + row)
        : named.stream().filter(test -> !tests.contains(test)).map(test -> "no test " + test);
  }

  private static String name(MatchResult test) {
    return test.group(1) + "." + test.group(2);
  }

  private static Set<String> testsIn(List<SourceFile> files) {
    Set<String> tests = new HashSet<>();
    for (ParsedFile file :
        ParsedFile.parse(files.stream().filter(ContractLists::hasTests).toList())) {
      new Scanner(tests).scan(file.unit(), "");
    }
    return tests;
  }

  /** The testkit ships tests that many modules run, under the name of a contract. */
  private static boolean hasTests(SourceFile file) {
    return file.isTest() || file.path().endsWith("Contract.java");
  }

  /** Goes through classes with the name of the one it is in. */
  private static final class Scanner extends TreeScanner<Void, String> {
    private final Set<String> tests;

    Scanner(Set<String> tests) {
      this.tests = tests;
    }

    @Override
    public Void visitClass(ClassTree type, String outer) {
      return super.visitClass(type, type.getSimpleName().toString());
    }

    @Override
    public Void visitMethod(MethodTree method, String type) {
      boolean isTest =
          method.getModifiers().getAnnotations().stream()
              .map(annotation -> annotation.getAnnotationType().toString())
              .anyMatch(TEST_ANNOTATIONS::contains);
      if (isTest) {
        tests.add(type + "." + method.getName());
      }
      return super.visitMethod(method, type);
    }
  }
}
