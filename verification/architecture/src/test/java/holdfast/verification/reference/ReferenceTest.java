package holdfast.verification.reference;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.verification.sources.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page of all meters, properties and reasons says what the code says. */
class ReferenceTest {
  private static final Path PAGE = Repository.here().root().resolve("docs/reference.md");

  @Test
  void thePageIsTrue() throws IOException {
    if (Boolean.getBoolean("reference.write")) {
      Files.writeString(PAGE, Reference.text());
    }
    assertThat(Files.readString(PAGE))
        .as("docs/reference.md; run this test with -Dreference.write=true to make it anew")
        .isEqualTo(Reference.text());
  }

  @Test
  void itKnowsOneOfEachKind() {
    assertThat(Reference.text())
        .contains("| `outbox.dispatch.success` | outbox |")
        .contains("| `holdfast.ledger.lost` |")
        .contains("| `tracer.events.dropped` |")
        .contains("| `eventlog.async.spillover-path`")
        .contains("| `outbox.retention`")
        .contains("| `POOL_EXHAUSTED` | tracer |");
  }
}
