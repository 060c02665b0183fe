package holdfast.verification.firsthour.mistakes;

import holdfast.verification.firsthour.mistakes.Mistake.Library;
import java.util.stream.Collectors;

/** The page of all mistakes, as it must be in the repository. Stateless. */
final class MistakesPage {

  private MistakesPage() {}

  static String text() {
    StringBuilder page =
        new StringBuilder(
            """
            # Mistakes of the first hour, and what you read then

            Find the message that you see, and its fix. A message says what happened, what was found and how to fix it.
            A test makes each of these mistakes and writes this page, so the messages are as they are printed. Parts in
            angle brackets, such as `<directory>`, differ on your machine.

            "Build" means `build()` or a method of the builder. "Start" means `start()`, or the start of the application.
            With Spring Boot the message is what the application prints when it does not start.
            """);
    for (Library library : Library.values()) {
      page.append("\n## ").append(library.title()).append("\n\n");
      page.append("| mistake | when | message | fix |\n|---|---|---|---|\n");
      Mistakes.all().stream()
          .filter(mistake -> mistake.library() == library)
          .forEach(mistake -> page.append(row(mistake)));
    }
    page.append(
        """

        ## Not mistakes

        These look like mistakes. They are allowed, or no library can notice them.

        | what you do | what happens |
        |---|---|
        """);
    LegalUses.all()
        .forEach(
            use -> page.append("| %s | %s |\n".formatted(cell(use.name()), cell(use.behaviour()))));
    return page.toString();
  }

  private static String row(Mistake mistake) {
    return "| %s | %s | %s | %s |\n"
        .formatted(
            cell(mistake.name()),
            mistake.occasion().words(),
            code(stable(Mistakes.message(mistake))),
            code(stable(mistake.fix())));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static String code(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .map(line -> "`" + cell(line) + "`")
        .collect(Collectors.joining("<br>"));
  }

  /** The same without what differs from one run or machine to another. */
  static String stable(String message) {
    return message
        .replaceAll("holdfast\\.verification\\.firsthour\\.mistakes\\.(\\w+\\$)?", "com.example.")
        .replaceAll("'\\w+Mistakes\\.(\\w+)'", "'$1'")
        .replaceAll("/\\S*/mistakes\\d+", "<directory>")
        .replaceAll("shop_[0-9a-f]{32}", "<user>")
        .replaceAll("eventId=[0-9A-Z]{26}", "eventId=<id>")
        .replaceAll("\"pid\":\\d+", "\"pid\":<pid>")
        .replaceAll("HikariPool-\\d+", "HikariPool-<n>")
        .replaceAll("\\[(\\d{5})-\\d+]", "[$1-<version>]")
        .replaceAll("Position: \\d+", "Position: <n>");
  }
}
