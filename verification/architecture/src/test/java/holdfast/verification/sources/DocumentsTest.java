package holdfast.verification.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is asked of pages, shown on small ones and asked of this repository's. */
class DocumentsTest {

  private static final List<SourceFile> FILES = Repository.here().sourceFiles();
  private static final List<Document> PAGES = Document.all(Repository.here().root());

  private static final SourceFile REGIONS =
      new SourceFile(
          "outbox/src/test/java/A.java",
          """
          class A {
            @Test
            void works() {
              // region one
              int a = 1;
                // deeper
              // endregion
            }

            void isNoTest() {}
          }
          """);

  private static List<String> uncompiled(String page) {
    return Examples.uncompiled(List.of(new Document("README.md", page)), List.of(REGIONS));
  }

  private static List<String> mistakes(String row) {
    String page = "| promise | test |\n|---|---|\n" + row + "\n";
    return ContractLists.mistakes(
        List.of(new Document("docs/outbox-contract.md", page)), List.of(REGIONS));
  }

  @Test
  void thePagesWereFound() {
    assertThat(PAGES)
        .extracting(Document::path)
        .contains("README.md", "docs/outbox.md", "docs/outbox-contract.md")
        .noneMatch(path -> path.contains("target/"));
  }

  @Test
  void aBlockThatIsARegionIsCompiled() {
    assertThat(uncompiled("x\n```java\nint a = 1;\n  // deeper\n```\n")).isEmpty();
  }

  @Test
  void aBlockThatDiffersIsFoundWithItsPlace() {
    assertThat(uncompiled("x\n```java\nint a = 2;\n```\n```sh\nls\n```\n"))
        .singleElement()
        .asString()
        .startsWith("README.md:2: ");
  }

  @Test
  void aFragmentNeedsAReason() {
    assertThat(uncompiled("<!-- fragment: a signature -->\n```java\nint a();\n```\n")).isEmpty();
    assertThat(uncompiled("<!-- fragment:  -->\n```java\nint a();\n```\n")).hasSize(1);
  }

  @Test
  void aPromiseNeedsATestThatIsThere() {
    assertThat(mistakes("| kept | `A.works` |")).isEmpty();
    assertThat(mistakes("| kept | |")).singleElement().asString().contains("names no test");
    assertThat(mistakes("| `A.works` | later |")).hasSize(1);
    assertThat(mistakes("| kept | `A.works`, `A.isNoTest`, `B.works` |"))
        .containsExactly(
            "docs/outbox-contract.md: no test A.isNoTest",
            "docs/outbox-contract.md: no test B.works");
  }

  @Test
  void everyBlockOfJavaIsCompiledAndRun() {
    assertThat(PAGES.stream().flatMap(page -> page.javaBlocks().stream())).isNotEmpty();
    assertThat(Examples.uncompiled(PAGES, FILES)).isEmpty();
  }

  @Test
  void everyPromiseHasItsTest() {
    assertThat(ContractLists.mistakes(PAGES, FILES)).isEmpty();
  }
}
