package eventlog;

import eventlog.spi.Answer;
import eventlog.spi.Redaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Events with a secret, and everything that sees them. */
abstract class RedactionFixture extends LoggerFixture {
  static final String SECRET = "s3cret";

  final Queue<EventLogEntry> sent = new ConcurrentLinkedQueue<>();
  final Queue<EventLogEntry> told = new ConcurrentLinkedQueue<>();

  static EventLogEntry secret(String key) {
    return Events.builder(key)
        .requestPayload("{\"password\":\"" + SECRET + "\",\"n\":1}")
        .metadata(Map.of("login", Map.of("password", SECRET)))
        .accountId("account-" + SECRET)
        .build();
  }

  static Consumer<AsyncEventLoggerBuilder> redacting(Consumer<AsyncEventLoggerBuilder> more) {
    return builder -> {
      builder.redaction(
          Redaction.ofFields("password")
              .andThen(event -> event.toBuilder().accountId("hidden").build()));
      more.accept(builder);
    };
  }

  void remember(Answer answer) {
    api.answers(
        events -> {
          sent.addAll(events);
          return answer;
        });
  }

  /** The callback keeps whole events, not their keys. */
  Consumer<AsyncEventLoggerBuilder> telling(Consumer<AsyncEventLoggerBuilder> more) {
    return redacting(
        builder -> {
          builder.eventLossCallback((event, reason) -> told.add(event));
          more.accept(builder);
        });
  }

  /** Every byte of every file below the directory. */
  String disk() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }
}
