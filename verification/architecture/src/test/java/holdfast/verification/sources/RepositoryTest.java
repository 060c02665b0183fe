package holdfast.verification.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepositoryTest {

  @Test
  void theFilesBelowSrcAreFoundAndThoseOfBuildsAreNot(@TempDir Path root) throws IOException {
    write(root, "outbox/outbox-core/src/main/java/outbox/A.java");
    write(root, "outbox/outbox-core/src/test/resources/a.sql");
    write(root, "outbox/outbox-core/target/src/main/java/outbox/B.java");
    write(root, "outbox/outbox-core/pom.xml");
    write(root, ".hidden/src/C.java");

    assertThat(new Repository(root).sourceFiles())
        .extracting(SourceFile::path)
        .containsExactlyInAnyOrder(
            "outbox/outbox-core/src/main/java/outbox/A.java",
            "outbox/outbox-core/src/test/resources/a.sql");
  }

  @Test
  void aSourceFileKnowsWhatItIs() {
    SourceFile main = new SourceFile("outbox/outbox-core/src/main/java/outbox/spi/A.java", "");
    SourceFile test = new SourceFile("examples/tour/src/test/java/tour/BTest.java", "");

    assertThat(main.isMain()).isTrue();
    assertThat(main.isTest()).isFalse();
    assertThat(main.isLibrary()).isTrue();
    assertThat(main.className()).isEqualTo("outbox.spi.A");
    assertThat(test.isMain()).isFalse();
    assertThat(test.isTest()).isTrue();
    assertThat(test.isLibrary()).isFalse();
  }

  private static void write(Path root, String path) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, path);
  }
}
