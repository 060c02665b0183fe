package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Messages.thrown;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BUILD;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START_STATUS;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.status.Status;
import eventlog.logback.EventLogAppender;
import eventlog.otlp.OtlpEventLogClient;
import holdfast.verification.firsthour.mistakes.Mistake.Library;
import java.net.URI;
import java.util.List;
import java.util.function.Consumer;

/** Mistakes with the appender of Logback, and with the client of OpenTelemetry collectors. */
final class EventLogAppenderMistakes {

  private EventLogAppenderMistakes() {}

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.EVENTLOG);
    list.add(
            "appender without address and application",
            START_STATUS,
            () -> status(appender -> {}),
            "the appender does not start, and lines are not sent",
            "baseUri must be set but is missing",
            "set the address that events are sent to")
        .add(
            "appender with wrong values",
            START_STATUS,
            () ->
                status(
                    appender -> {
                      usable(appender);
                      appender.setBatchSize("0");
                      appender.setMaxQueueBytes("5 apples");
                    }),
            "EventLogAppender: ",
            "batchSize must be from 1 to 67108864 but was 0",
            "maxQueueBytes must be a number, with B, KiB, MiB or GiB")
        .add(
            "appender with a variable that is not defined",
            START_STATUS,
            () ->
                status(
                    appender -> {
                      usable(appender);
                      appender.setApiKey("EVENTLOG_KEY_IS_UNDEFINED");
                    }),
            "apiKey must have a value but its variable is not defined",
            "found 'EVENTLOG_KEY_IS_UNDEFINED'",
            "define the variable")
        .add(
            "appender with http: and a key",
            START_STATUS,
            () ->
                status(
                    appender -> {
                      usable(appender);
                      appender.setBaseUri("http://events.example.com:8080");
                      appender.setApiKey("secret");
                    }),
            "baseUri must begin with https: where an API key or token goes to another machine",
            "but was http://events.example.com:8080",
            "allowClearText of an appender")
        .add(
            "appender with a protocol nobody knows",
            START_STATUS,
            () ->
                status(
                    appender -> {
                      usable(appender);
                      appender.setProtocol("grpc");
                    }),
            "protocol must be one of",
            "but was 'grpc'",
            "[eventlog, http/json, http/protobuf]")
        .add(
            "headers to a collector in clear text",
            BUILD,
            () ->
                thrown(
                    () ->
                        OtlpEventLogClient.builder(URI.create("http://collector.example.com:4318"))
                            .header("Authorization", () -> "secret")
                            .build()),
            "baseUri must begin with https: where headers go to another machine",
            "but was http://collector.example.com:4318",
            "use an address that begins with https:, or allow clear text");
    return list.all();
  }

  private static void usable(EventLogAppender appender) {
    appender.setBaseUri("https://events.example.com");
    appender.setApplicationId("shop");
  }

  /** The error among Logback's status messages when an appender with these settings starts. */
  private static String status(Consumer<EventLogAppender> settings) {
    LoggerContext context = new LoggerContext();
    EventLogAppender appender = new EventLogAppender();
    appender.setContext(context);
    settings.accept(appender);
    appender.start();
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() == Status.ERROR)
        .map(Status::getMessage)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no error among the status messages"));
  }
}
