package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Messages.failedStart;
import static holdfast.verification.firsthour.mistakes.Messages.warnedAtStart;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BOOT;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START_LOG;

import eventlog.AsyncEventLogger;
import holdfast.verification.firsthour.mistakes.Mistake.Library;
import holdfast.verification.firsthour.mistakes.SpringSetups.WithEventLog;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Mistakes with the event log in an application with Spring Boot. */
final class EventLogSpringMistakes {
  private static final String ADDRESS = "eventlog.base-url=https://events.example.com";

  private EventLogSpringMistakes() {}

  @Import(WithEventLog.class)
  static class App {
    @Bean
    Runnable audit(AsyncEventLogger logger) {
      return logger::queueDepth;
    }
  }

  @Import({App.class, MisplacedAnnotations.OnPrivateMethod.class})
  static class PrivateApp {}

  @Import({App.class, MisplacedAnnotations.OnFinalMethod.class})
  static class FinalApp {}

  @Import({App.class, MisplacedAnnotations.OnStaticMethod.class})
  static class StaticApp {}

  @Import({App.class, MisplacedAnnotations.WithBlankName.class})
  static class BlankApp {}

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.EVENTLOG);
    settings(list);
    methods(list);
    return list.all();
  }

  private static void settings(MistakeList list) {
    list.add(
            "Spring: no address and no client",
            BOOT,
            () -> failedStart(App.class),
            "a bean wants AsyncEventLogger",
            "the event log needs a client but there is none",
            "set eventlog.base-url")
        .add(
            "Spring: missing bean, the event log is switched off",
            BOOT,
            () -> failedStart(App.class, "eventlog.enabled=false"),
            "a bean wants AsyncEventLogger",
            "the event log is switched off by eventlog.enabled=false",
            "set eventlog.enabled=true")
        .add(
            "Spring: address without http: or https:",
            BOOT,
            () -> failedStart(App.class, "eventlog.base-url=events.example.com"),
            "eventlog.base-url must",
            "but was 'events.example.com'",
            "be an address that begins with http:// or https://")
        .add(
            "Spring: http: with a token",
            BOOT,
            () ->
                failedStart(
                    App.class,
                    "eventlog.base-url=http://events.example.com",
                    "eventlog.bearer-token=secret"),
            "baseUri must begin with https: where an API key or token goes to another machine",
            "but was http://events.example.com",
            "eventlog.allow-clear-text=true")
        .add(
            "Spring: zero capacity and a negative time",
            BOOT,
            () ->
                failedStart(
                    App.class,
                    ADDRESS,
                    "eventlog.async.queue-capacity=0",
                    "eventlog.request-timeout=-1s"),
            "the properties of the event log are out of range",
            "but was PT-1S; eventlog.async.queue-capacity must be from 1 to 67108864 but was 0",
            "eventlog.request-timeout must be more than zero")
        .add(
            "Spring: mistyped property",
            START_LOG,
            () ->
                warnedAtStart(
                    "holdfast.spring", App.class, ADDRESS, "eventlog.async.spillover-pth=/tmp"),
            "no library knows it, so it has no effect",
            "property 'eventlog.async.spillover-pth' is set",
            "the nearest known one is 'eventlog.async.spillover-path'");
  }

  private static void methods(MistakeList list) {
    list.add(
            "Spring: private method annotated",
            START_LOG,
            () -> warnedAtStart("eventlog", PrivateApp.class, ADDRESS),
            "eventlog method is not logged",
            "the method is private",
            "make it public")
        .add(
            "Spring: final method annotated",
            START_LOG,
            () -> warnedAtStart("eventlog", FinalApp.class, ADDRESS),
            "eventlog method is not logged",
            "the method is final",
            "remove the modifier final")
        .add(
            "Spring: static method annotated",
            START_LOG,
            () -> warnedAtStart("eventlog", StaticApp.class, ADDRESS),
            "eventlog method is not logged",
            "the method is static",
            "remove the modifier static")
        .add(
            "Spring: blank name",
            BOOT,
            () -> failedStart(BlankApp.class, ADDRESS),
            "value of @LogEvent on BlankName#pay must have a text",
            "but is blank",
            "write one or remove it");
  }
}
