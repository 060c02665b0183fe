package holdfast.verification.reference;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.verification.sources.Repository;
import holdfast.verification.sources.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page of threads and locks lists those of the code, and no others. */
class ConcurrencyPageTest {

  private static List<SourceFile> sources() {
    return Repository.here().sourceFiles().stream()
        .filter(file -> file.isJava() && file.isMain() && file.isLibrary())
        .filter(file -> !file.path().startsWith("holdfast/holdfast-testkit/"))
        .toList();
  }

  private static String page() throws IOException {
    return Files.readString(Repository.here().root().resolve("docs/concurrency.md"));
  }

  @Test
  void threads() throws IOException {
    assertThat(ConcurrencyPage.listed(page(), "Threads"))
        .as("threads on docs/concurrency.md")
        .isEqualTo(ConcurrencyPage.threads(sources()));
  }

  @Test
  void locks() throws IOException {
    assertThat(ConcurrencyPage.listed(page(), "Locks"))
        .as("classes with locks on docs/concurrency.md")
        .isEqualTo(ConcurrencyPage.locks(sources()));
  }

  @Test
  void findsThreadsAndLocksAndIgnoresComments() {
    List<SourceFile> sources =
        List.of(
            new SourceFile(
                "shop/src/main/java/shop/Till.java",
                """
                /** Loop("outbox-none"), synchronized. */
                class Till {
                  Thread one = Threads.daemon("outbox-till").newThread(this); // "outbox-comment"
                  synchronized void sell() {}
                }
                """),
            new SourceFile(
                "shop/src/main/java/shop/Sign.java",
                "class Sign { Object o = new WorkSettings(\"eventbus\", 1); }"),
            new SourceFile(
                "shop/src/main/java/shop/Engine.java",
                "class Engine { Object o = Threads.daemon(library + \"-status\"); }"));
    assertThat(ConcurrencyPage.threads(sources)).containsExactly("eventbus-status", "outbox-till");
    assertThat(ConcurrencyPage.locks(sources)).containsExactly("Till");
    assertThat(
            ConcurrencyPage.listed(
                "# P\n\n## Locks\n| `A`, `B` (`c`) | `D` |\n\n## X\n| `E` | |\n", "Locks"))
        .containsExactly("A", "B");
  }
}
