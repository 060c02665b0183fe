package holdfast.verification.sources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A page for readers, in Markdown.
 *
 * @param path where it is, from the root of the repository, with slashes
 * @param text what it says
 */
record Document(String path, String text) {

  private static final String FENCE = "```";
  private static final String FRAGMENT = "<!-- fragment: ";

  /**
   * A block of Java in a page.
   *
   * @param place page and line
   * @param code its lines
   * @param isFragment whether the line above says why it cannot be compiled
   */
  record Block(String place, String code, boolean isFragment) {}

  /** Every page of the repository: those in its root, in docs, and beside modules. */
  static List<Document> all(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .map(root::relativize)
          .filter(path -> !path.toString().matches("(.*/)?(target|\\..*)/.*"))
          .map(path -> read(root, path))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Document read(Path root, Path path) {
    try {
      return new Document(path.toString().replace('\\', '/'), Files.readString(root.resolve(path)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The blocks of Java. */
  List<Block> javaBlocks() {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int start = 0; start < lines.size(); start++) {
      if (lines.get(start).strip().equals(FENCE + "java")) {
        int end = start + 1;
        while (end < lines.size() && !lines.get(end).strip().equals(FENCE)) {
          end++;
        }
        String above = start == 0 ? "" : lines.get(start - 1).strip();
        blocks.add(
            new Block(
                path + ":" + (start + 1),
                String.join("\n", lines.subList(start + 1, end)),
                above.matches(FRAGMENT + "\\S.* -->")));
        start = end;
      }
    }
    return blocks;
  }
}
