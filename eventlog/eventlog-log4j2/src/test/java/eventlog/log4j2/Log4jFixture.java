package eventlog.log4j2;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
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
import org.jspecify.annotations.Nullable;

/** Log4j, configured by XML as an application does it. */
final class Log4jFixture implements AutoCloseable {
  private final Statuses statuses = new Statuses();

  /** The context that lines of the JDK's loggers go to as well. */
  private final LoggerContext context = (LoggerContext) LogManager.getContext(false);

  Log4jFixture() {
    StatusLogger.getLogger().registerListener(statuses);
  }

  /** What Log4j reports about itself. */
  private static final class Statuses implements StatusListener {
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
  }

  List<String> statuses(Level level) {
    return statuses.all.stream()
        .filter(data -> data.getLevel() == level)
        .map(data -> data.getMessage().getFormattedMessage())
        .toList();
  }

  @Override
  public void close() {
    context.reconfigure(new NullConfiguration());
    StatusLogger.getLogger().removeListener(statuses);
    ThreadContext.clearAll();
  }

  /** Configures Log4j with one appender that has these settings and elements. */
  @Nullable EventLogAppender configure(String level, Map<String, String> settings, String elements)
      throws IOException {
    StringBuilder attributes = new StringBuilder();
    settings.forEach((name, text) -> attributes.append("%s='%s' ".formatted(name, text)));
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

  @Nullable EventLogAppender load(String xml) throws IOException {
    byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
    context.reconfigure(
        new XmlConfiguration(context, new ConfigurationSource(new ByteArrayInputStream(bytes))));
    return context.getConfiguration().getAppender("EVENTLOG");
  }

  Logger logger(String name) {
    return context.getLogger(name);
  }
}
