package eventlog.logback;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Logback, configured by XML as an application does it. */
final class LogbackFixture implements AutoCloseable {
  /** The context that lines of the JDK's loggers go to as well. */
  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

  @Override
  public void close() {
    context.stop();
    context.reset();
    MDC.clear();
  }

  /** Configures Logback with one appender that has these settings and other elements. */
  EventLogAppender configure(String level, Map<String, String> settings, String elements)
      throws JoranException {
    StringBuilder texts = new StringBuilder(elements);
    settings.forEach((name, text) -> texts.append("<%1$s>%2$s</%1$s>".formatted(name, text)));
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
            .formatted(texts, level));
  }

  EventLogAppender load(String xml) throws JoranException {
    context.reset();
    context.getStatusManager().clear();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    return (EventLogAppender) context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("EVENTLOG");
  }

  Logger logger(String name) {
    return context.getLogger(name);
  }

  List<String> statuses(int level) {
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() == level)
        .filter(status -> status.getOrigin() instanceof EventLogAppender)
        .map(Status::getMessage)
        .toList();
  }
}
