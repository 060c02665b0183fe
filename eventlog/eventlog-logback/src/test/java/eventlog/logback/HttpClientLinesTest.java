package eventlog.logback;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.appender.RecordingApi;
import holdfast.testkit.process.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application in which everything is logged, also what the JDK's HTTP client does. */
class HttpClientLinesTest {
  private static final int LINES = 100;

  @Test
  void whatTheHttpClientLogsForEachRequestDoesNotFeedBack(@TempDir Path directory)
      throws Exception {
    try (RecordingApi api = new RecordingApi();
        ChildJvm app = start(api, directory)) {
      assertThat(app.awaitExit(Duration.ofSeconds(60))).as(app.errors()).isZero();

      assertThat(app.lines())
          .last()
          .asString()
          .contains("accepted=" + LINES + " delivered=" + LINES + " held=0 lost=0 unaccounted=0");
      assertThat(app.lines()).anyMatch(line -> line.contains("jdk.httpclient.HttpClient"));
      assertThat(api.events()).hasSize(LINES);
    }
  }

  /** With a second appender, to see that the lines were logged at all. */
  private static ChildJvm start(RecordingApi api, Path directory) throws Exception {
    Path file = directory.resolve("logback.xml");
    Files.writeString(
        file,
        """
        <configuration>
          <appender name="EVENTLOG" class="eventlog.logback.EventLogAppender">
            <baseUri>%s</baseUri>
            <applicationId>shop</applicationId>
          </appender>
          <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%%logger%%n</pattern></encoder>
          </appender>
          <logger name="jdk.event.security" level="OFF"/> <!-- once, of certificates it loads -->
          <logger name="jdk.httpclient"><appender-ref ref="OUT"/></logger>
          <root level="TRACE"><appender-ref ref="EVENTLOG"/></root>
        </configuration>
        """
            .formatted(api.uri()));
    return ChildJvm.of(LoggingApp.class, String.valueOf(LINES))
        .jvmOptions("-Djdk.httpclient.HttpClient.log=all", "-Dlogback.configurationFile=" + file)
        .start();
  }
}
