package eventlog.logback;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import eventlog.appender.RecordingApi;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.threads.Eventually;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Logback, configured by XML as an application does it, and an API. */
@Timeout(60)
abstract class LogbackFixture {
  final RecordingApi api = new RecordingApi();

  /** The context that lines of the JDK's loggers go to as well. */
  final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

  @AfterEach
  void end() {
    context.stop();
    context.reset();
    MDC.clear();
    api.close();
  }

  /** Configures Logback with one appender that has these elements. */
  EventLogAppender configure(String level, String elements) throws JoranException {
    return load(
        """
        <configuration>
          <appender name="EVENTLOG" class="eventlog.logback.EventLogAppender">
            %s
          </appender>
          <logger name="com.sun.net.httpserver" level="OFF"/> <!-- the API, in the same process -->
          <root level="%s"><appender-ref ref="EVENTLOG"/></root>
        </configuration>
        """
            .formatted(elements, level));
  }

  EventLogAppender load(String xml) throws JoranException {
    context.reset();
    context.getStatusManager().clear();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    return (EventLogAppender) context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("EVENTLOG");
  }

  /** The elements without which there is no appender. */
  String required() {
    return "<baseUri>%s</baseUri><applicationId>shop</applicationId>".formatted(api.uri());
  }

  Logger logger(String name) {
    return context.getLogger(name);
  }

  static LedgerSnapshot ledger(EventLogAppender appender) {
    return appender.ledger().orElseThrow();
  }

  static void awaitDelivered(EventLogAppender appender, long count) {
    Eventually.await("delivered", () -> ledger(appender).delivered() == count);
  }

  List<String> statuses(int level) {
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() == level)
        .filter(status -> status.getOrigin() instanceof EventLogAppender)
        .map(Status::getMessage)
        .toList();
  }
}
