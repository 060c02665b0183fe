package eventlog.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import eventlog.Events;
import holdfast.testkit.threads.Eventually;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/eventlog.md: compiled here, run here, the same text there. */
@Timeout(60)
class DocumentedExamplesTest {

  @Test
  void otlp(@TempDir Path directory) {
    // spotless:off
    // region otlp
    OtlpEventLogClient client = OtlpEventLogClient.builder(URI.create("http://localhost:4318"))
        .encoding(OtlpEncoding.PROTOBUF)
        .build();
    AsyncEventLogger logger = AsyncEventLogger.builder()
        .client(client)
        .spilloverPath(directory)
        .build();
    // endregion
    // spotless:on
    logger.log(Events.event("e")); // to a collector, or to disk if there is none here
    Eventually.await("accepted", () -> logger.ledger().accepted() == 1);
    assertThat(logger.close(Duration.ZERO).unwritten()).isZero();
    client.close();
  }
}
