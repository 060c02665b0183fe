package holdfast.verification.reference;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.verification.sources.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The public API of outbox and event bus is the one that its page shows. */
class ApiPageTest {
  private static final Path PAGE = Repository.here().root().resolve("docs/api.md");

  private static ApiPage page() throws IOException {
    try (var resource = ApiPageTest.class.getResourceAsStream("frozen-api.txt")) {
      assertThat(resource).isNotNull();
      Set<String> frozen =
          new String(resource.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .collect(Collectors.toSet());
      assertThat(frozen).hasSizeGreaterThan(80);
      return new ApiPage(frozen);
    }
  }

  @Test
  void noFrozenMemberHasChanged() throws IOException {
    assertThat(page().missing()).isEmpty();
  }

  @Test
  void aMemberThatIsNotThereIsNoticed() {
    assertThat(new ApiPage(Set.of("outbox.OutboxClient String publish(String)")).missing())
        .containsExactly("outbox.OutboxClient String publish(String)");
  }

  @Test
  void thePageIsTrue() throws IOException {
    if (Boolean.getBoolean("reference.write")) {
      Files.writeString(PAGE, page().text());
    }
    assertThat(Files.readString(PAGE))
        .as("docs/api.md; run this test with -Dreference.write=true to make it anew")
        .isEqualTo(page().text());
  }
}
