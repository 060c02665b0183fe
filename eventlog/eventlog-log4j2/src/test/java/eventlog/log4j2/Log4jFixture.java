package eventlog.log4j2;

import eventlog.appender.RecordingApi;
import holdfast.testkit.threads.Eventually;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.NullConfiguration;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;
import org.apache.logging.log4j.status.StatusData;
import org.apache.logging.log4j.status.StatusListener;
import org.apache.logging.log4j.status.StatusLogger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Log4j, configured by XML as an application does it, and an API. */
@Timeout(60)
abstract class Log4jFixture {
  final RecordingApi api = new RecordingApi();
  final Statuses statuses = new Statuses();

  /** The context that lines of the JDK's loggers go to as well. */
  final LoggerContext context = (LoggerContext) LogManager.getContext(false);

  /** What Log4j reports about itself. */
  static final class Statuses implements StatusListener {
    private final List<StatusData> all = new CopyOnWriteArrayList<>();

    @Override
    public void log(StatusData data) {
      all.add(data);
    }

    @Override
    public Level getStatusLevel() {
      return Level.INFO;
    }

    @Override
    public void close() {}

    List<String> of(Level level) {
      return all.stream()
          .filter(data -> data.getLevel() == level)
          .map(data -> data.getMessage().getFormattedMessage())
          .toList();
    }
  }

  @BeforeEach
  void listen() {
    StatusLogger.getLogger().registerListener(statuses);
  }

  @AfterEach
  void end() {
    context.reconfigure(new NullConfiguration());
    StatusLogger.getLogger().removeListener(statuses);
    ThreadContext.clearAll();
    api.close();
  }

  /** Configures Log4j with one appender that has these attributes and elements. */
  EventLogAppender configure(String level, String attributes, String elements) throws IOException {
    return load(
        """
        <Configuration>
          <Appenders>
            <EventLog name="EVENTLOG" %s>%s</EventLog>
          </Appenders>
          <Loggers>
            <Logger name="com.sun.net.httpserver" level="OFF"/> <!-- the API, in this process -->
            <Root level="%s"><AppenderRef ref="EVENTLOG"/></Root>
          </Loggers>
        </Configuration>
        """
            .formatted(attributes, elements, level));
  }

  EventLogAppender load(String xml) throws IOException {
    byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
    context.reconfigure(
        new XmlConfiguration(context, new ConfigurationSource(new ByteArrayInputStream(bytes))));
    return context.getConfiguration().getAppender("EVENTLOG");
  }

  /** The attributes without which there is no appender. */
  String required() {
    return "baseUri='%s' applicationId='shop'".formatted(api.uri());
  }

  Logger logger(String name) {
    return context.getLogger(name);
  }

  static void awaitDelivered(EventLogAppender appender, long count) {
    Eventually.await("delivered", () -> appender.ledger().delivered() == count);
  }
}
