package eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuilderTest {

  @Test
  void withoutAClientThereIsNoLogger() {
    assertThatThrownBy(() -> AsyncEventLogger.builder().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("AsyncEventLogger needs a client but has none; set one with client(...)");
  }

  @Test
  void allBadSettingsAreNamedAtOnce(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThatThrownBy(
            () ->
                AsyncEventLogger.builder()
                    .client(new FakeApi())
                    .queueCapacity(0)
                    .maxRetries(-1)
                    .baseRetryDelay(Duration.ofMillis(10))
                    .maxRetryDelay(Duration.ofMillis(9))
                    .circuitBreakerThreshold(0)
                    .circuitBreakerReset(Duration.ZERO)
                    .batchSize(0)
                    .maxBatchWait(Duration.ofMillis(-1))
                    .senderThreads(0)
                    .replayIntervalMs(0)
                    .maxReplayEventsPerSecond(0)
                    .maxSpilloverEvents(0)
                    .maxSpilloverSizeBytes(0)
                    .maxQuarantineSizeBytes(-1)
                    .maxEntryBytes(0)
                    .forceInterval(Duration.ZERO)
                    .closeTimeout(Duration.ofMillis(-1))
                    .spilloverPath(file)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("AsyncEventLogger: queueCapacity must be from 1 to ")
        .hasMessageContaining("maxRetries must be 0 or more but was -1")
        .hasMessageContaining("maxRetryDelay must be from 10 ms to a year but was PT0.009S")
        .hasMessageContaining("circuitBreakerThreshold must")
        .hasMessageContaining("circuitBreakerReset must")
        .hasMessageContaining("batchSize must")
        .hasMessageContaining("maxBatchWait must")
        .hasMessageContaining("senderThreads must")
        .hasMessageContaining("replayInterval must be from 1 ms to a year but was PT0S")
        .hasMessageContaining("maxReplayEventsPerSecond must")
        .hasMessageContaining("maxSpilloverEvents must")
        .hasMessageContaining("maxSpilloverSizeBytes must")
        .hasMessageContaining("maxQuarantineSizeBytes must")
        .hasMessageContaining("maxEntryBytes must")
        .hasMessageContaining("forceInterval must")
        .hasMessageContaining("closeTimeout must")
        .hasMessageContaining("spilloverPath must be a directory, or not be there yet, but was");
  }

  @Test
  void theDefaultsAreThoseOfTheDocument() {
    AsyncEventLoggerBuilder b = AsyncEventLogger.builder();

    assertThat(b.queueCapacity).isEqualTo(10_000);
    assertThat(b.maxQueueBytes).isEqualTo(67_108_864);
    assertThat(b.maxRequestBytes).isEqualTo(4_194_304);
    assertThat(b.maxRetries).isEqualTo(3);
    assertThat(b.baseRetryDelay).isEqualTo(Duration.ofMillis(1000));
    assertThat(b.maxRetryDelay).isEqualTo(Duration.ofMillis(30_000));
    assertThat(b.circuitBreakerThreshold).isEqualTo(5);
    assertThat(b.circuitBreakerReset).isEqualTo(Duration.ofMillis(30_000));
    assertThat(b.batchSize).isEqualTo(50);
    assertThat(b.maxBatchWait).isEqualTo(Duration.ofMillis(100));
    assertThat(b.senderThreads).isEqualTo(4);
    assertThat(b.virtualThreads).isFalse();
    assertThat(b.registerShutdownHook).isTrue();
    assertThat(b.spilloverPath).isNull();
    assertThat(b.replayInterval).isEqualTo(Duration.ofSeconds(10));
    assertThat(b.maxSpilloverEvents).isEqualTo(10_000);
    assertThat(b.maxSpilloverSizeBytes).isEqualTo(52_428_800);
    assertThat(b.closeTimeout).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void virtualThreadsSendAsWell() throws InterruptedException {
    FakeApi api = new FakeApi();
    try (AsyncEventLogger logger =
        AsyncEventLogger.builder().client(api).virtualThreads(true).senderThreads(3).build()) {
      logger.log(Events.events("v", 100));
      assertThat(logger.flush(java.time.Duration.ofSeconds(20))).isTrue();
    }
    assertThat(api.stored()).hasSize(100);
  }

  @Test
  void whatIsWrongCanBeAskedForBeforeItIsBuilt() {
    assertThat(AsyncEventLogger.builder().problems()).isEmpty();
    assertThat(AsyncEventLogger.builder().maxRetries(-1).maxEntryBytes(0).problems())
        .hasSize(2)
        .first()
        .asString()
        .isEqualTo("maxRetries must be 0 or more but was -1");
  }
}
