package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Messages.thrown;
import static holdfast.verification.firsthour.mistakes.Messages.warned;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BUILD;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL_LOG;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START_LOG;

import eventlog.AsyncEventLogger;
import eventlog.AsyncEventLoggerBuilder;
import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import eventlog.HttpEventLogClient;
import eventlog.HttpEventLogClientBuilder;
import eventlog.spi.Answer;
import eventlog.tool.EventLogTool;
import holdfast.testkit.process.ChildJvm;
import holdfast.verification.firsthour.mistakes.Mistake.Library;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Mistakes with the event log in an application without a framework. */
final class EventLogMistakes {

  private EventLogMistakes() {}

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.EVENTLOG);
    client(list);
    settings(list);
    directories(list);
    use(list);
    return list.all();
  }

  private static HttpEventLogClientBuilder client(String address) {
    return HttpEventLogClient.builder(URI.create(address));
  }

  private static AsyncEventLoggerBuilder logger() {
    return AsyncEventLogger.builder()
        .client(events -> Answer.delivered())
        .registerShutdownHook(false);
  }

  private static EventLogEntry entry() {
    return EventLogEntry.builder()
        .correlationId("c")
        .traceId("t")
        .applicationId("shop")
        .targetSystem("bank")
        .originatingSystem("web")
        .processName("pay")
        .eventType(EventType.STEP)
        .eventStatus(EventStatus.SUCCESS)
        .summary("paid")
        .result("ok")
        .build();
  }

  private static void client(MistakeList list) {
    list.add(
            "no client",
            BUILD,
            () -> thrown(() -> AsyncEventLogger.builder().build()),
            "AsyncEventLogger needs a client",
            "but has none",
            "set one with client(...)")
        .add(
            "address without http: or https:",
            BUILD,
            () -> thrown(() -> client("events.example.com").build()),
            "HttpEventLogClient: baseUri must",
            "but was events.example.com",
            "begin with http: or https:")
        .add(
            "password in the address",
            BUILD,
            () -> thrown(() -> client("https://shop:secret@events.example.com").build()),
            "baseUri must have no user, query or fragment",
            "but has a user",
            "use apiKey or bearerToken")
        .add(
            "http: with a token",
            BUILD,
            () -> thrown(() -> client("http://events.example.com").bearerToken(() -> "t").build()),
            "baseUri must begin with https: where an API key or token goes to another machine",
            "but was http://events.example.com",
            "use an address that begins with https:, or allow clear text")
        .add(
            "API key with a line feed",
            BUILD,
            () -> thrown(() -> client("https://events.example.com").apiKey("secret\n").build()),
            "apiKey must be what a header may hold",
            "but has line feeds or foreign characters",
            "remove them")
        .add(
            "zero as the time for a request",
            BUILD,
            () ->
                thrown(
                    () ->
                        client("https://events.example.com").requestTimeout(Duration.ZERO).build()),
            "HttpEventLogClient: requestTimeout must",
            "but was PT0S",
            "requestTimeout must be above zero, and 365 days at most,");
  }

  private static void settings(MistakeList list) {
    list.add(
            "zero capacity and a negative number of retries",
            BUILD,
            () -> thrown(() -> logger().queueCapacity(0).maxRetries(-1).build()),
            "AsyncEventLogger: queueCapacity must",
            "but was 0; maxRetries must be 0 or more but was -1",
            "queueCapacity must be from 1 to 67108864")
        .add(
            "longest delay below the first",
            BUILD,
            () ->
                thrown(
                    () ->
                        logger()
                            .baseRetryDelay(Duration.ofSeconds(1))
                            .maxRetryDelay(Duration.ofMillis(500))
                            .build()),
            "AsyncEventLogger: maxRetryDelay must",
            "but was PT0.5S",
            "maxRetryDelay must be from 1000 ms to a year");
  }

  private static void directories(MistakeList list) {
    list.add(
            "spill directory is a file",
            BUILD,
            () ->
                Directories.temporary(
                    place -> {
                      Path file = Files.createFile(place.resolve("spillover"));
                      return thrown(() -> logger().spilloverPath(file).build());
                    }),
            "AsyncEventLogger: spilloverPath must",
            "/spillover",
            "be a directory, or not be there yet,")
        .add(
            "spill directory is read-only",
            START_LOG,
            () ->
                Directories.readOnly(
                    place ->
                        warned(
                            "eventlog",
                            () ->
                                logger()
                                    .spilloverPath(place.resolve("spillover"))
                                    .build()
                                    .close())),
            "it cannot write to its spill directory",
            "Read-only file system",
            "make the directory writable, free space on its disk, or set another spilloverPath")
        .add(
            "spill directory of another process given to the tool",
            CALL,
            () ->
                Directories.temporary(
                    place -> {
                      try (AsyncEventLogger logger = logger().spilloverPath(place).build();
                          ChildJvm tool =
                              ChildJvm.of(
                                      EventLogTool.class,
                                      "replay",
                                      "--url=http://localhost:1",
                                      place.toString())
                                  .start()) {
                        tool.awaitExit(Duration.ofSeconds(60));
                        return tool.errors();
                      }
                    }),
            "must not be in use",
            "but is, by",
            "stop that process");
  }

  private static void use(MistakeList list) {
    list.add(
            "entry without what is required",
            CALL,
            () -> thrown(() -> EventLogEntry.builder().correlationId("c").build()),
            "EventLogEntry needs all required fields",
            "but is missing traceId, applicationId",
            "set them")
        .add(
            "null logged",
            CALL_LOG,
            () ->
                warned(
                    "eventlog",
                    () -> {
                      try (AsyncEventLogger logger = logger().build()) {
                        logger.log((EventLogEntry) null);
                      }
                    }),
            "eventlog was given null",
            "null instead of an event",
            "build an EventLogEntry")
        .add(
            "logged after close",
            CALL_LOG,
            () ->
                warned(
                    "eventlog",
                    () -> {
                      AsyncEventLogger logger = logger().build();
                      logger.close();
                      logger.log(entry());
                    }),
            "eventlog lost an event",
            "reason=shutdown_in_progress",
            "log before close()");
  }
}
