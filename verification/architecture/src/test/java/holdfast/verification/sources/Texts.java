package holdfast.verification.sources;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds what can be seen without understanding Java: length, and notes of unfinished work. */
final class Texts {

  private static final int MOST_LINES = 400;

  // In two pieces, or this file would find itself.
  private static final Pattern UNFINISHED = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b");

  private Texts() {}

  /** One line for each Java file that is too long. */
  static List<String> tooLong(List<SourceFile> files) {
    return files.stream()
        .filter(file -> file.isJava() && file.text().lines().count() > MOST_LINES)
        .map(file -> "%s: is longer than %d lines".formatted(file.path(), MOST_LINES))
        .toList();
  }

  /** One line for each line that says that something is still to be done. */
  static List<String> unfinished(List<SourceFile> files) {
    return files.stream().flatMap(Texts::unfinished).toList();
  }

  private static Stream<String> unfinished(SourceFile file) {
    return file.text()
        .lines()
        .filter(line -> UNFINISHED.matcher(line).find())
        .map(line -> "%s: is unfinished: %s".formatted(file.path(), line.strip()));
  }
}
