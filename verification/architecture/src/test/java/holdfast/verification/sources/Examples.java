package holdfast.verification.sources;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds Java in pages that nobody compiles. A block must be the text of a region, between {@code //
 * region name} and {@code // endregion}, of a test or an example, which the build compiles and
 * runs; or the line above it must be {@code <!-- fragment: why -->}.
 */
final class Examples {

  private static final Pattern REGION =
      Pattern.compile("(?m)^ *// region .*\\R([\\s\\S]*?)^ *// endregion *$");

  private Examples() {}

  /** One line for each block that is neither a region nor marked as a fragment. */
  static List<String> uncompiled(List<Document> documents, List<SourceFile> files) {
    Set<String> regions =
        files.stream()
            .filter(file -> file.isJava() && (file.isTest() || file.path().startsWith("examples/")))
            .flatMap(file -> REGION.matcher(file.text()).results())
            .map(Examples::textOf)
            .collect(Collectors.toSet());
    return documents.stream()
        .flatMap(document -> document.javaBlocks().stream())
        .filter(block -> !block.isFragment() && !regions.contains(block.code()))
        .map(block -> block.place() + ": is no region of a test or an example, nor a fragment")
        .toList();
  }

  private static String textOf(MatchResult region) {
    return region.group(1).stripTrailing().stripIndent();
  }
}
