package eventlog.log4j2;

import eventlog.appender.AppenderReport;
import eventlog.appender.AppenderSettings;
import eventlog.appender.LineAppender;
import holdfast.ledger.LedgerSnapshot;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.Core;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.config.plugins.PluginBuilderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sends log lines to the Event Log API or an OpenTelemetry collector, without ever making a thread
 * that logs wait. While lines cannot be sent and a {@code spilloverPath} is set, they go to disk
 * and are sent from there later.
 *
 * <pre>{@code
 * <EventLog name="EVENTLOG" baseUri="https://events.example.com" applicationId="shop"
 *           spilloverPath="/var/spool/shop"/>
 * }</pre>
 *
 * <p>All settings are attributes and are checked when the configuration is loaded: a mistake is an
 * error of Log4j's status logger, and the application goes on without the appender. Times are
 * written as {@code 500 ms}, {@code 10 s} or {@code PT10S}, sizes as {@code 64 MiB}.
 *
 * <p>Lines that logging an event causes are left out: those of the loggers {@code eventlog}, {@code
 * holdfast} and of the JDK's HTTP client, and those of threads whose names begin with {@code
 * eventlog-}.
 *
 * <p>Safe for use by many threads.
 */
@Plugin(
    name = EventLogAppender.ELEMENT,
    category = Core.CATEGORY_NAME,
    elementType = Appender.ELEMENT_TYPE)
public final class EventLogAppender extends AbstractAppender {
  static final String ELEMENT = "EventLog";

  private final AppenderSettings settings;
  private volatile @Nullable LineAppender lines; // null until it is started

  /** An appender that is not started; fails if the settings have mistakes. */
  EventLogAppender(
      String name, @Nullable Filter filter, Property[] properties, AppenderSettings settings) {
    super(name, filter, null, true, properties);
    settings.check(new StatusReport());
    this.settings = settings;
  }

  /** Returns the builder of an appender with nothing set; Log4j calls it. */
  @PluginBuilderFactory
  public static EventLogAppenderBuilder newBuilder() {
    return new EventLogAppenderBuilder();
  }

  /** Starts its threads and opens the {@code spilloverPath}; Log4j calls it. */
  @Override
  public void start() {
    if (isStarted()) {
      return;
    }
    try {
      lines = settings.start(new StatusReport());
      super.start();
    } catch (IllegalArgumentException e) { // what was checked has changed since, such as a file
      LOGGER.error("{}; the appender {} does not start, and lines are not sent", e, getName());
    }
  }

  @Override
  public void append(LogEvent event) {
    LineAppender running = lines;
    if (running != null && !running.excludes(Lines.logger(event), event.getThreadName())) {
      running.append(Lines.of(event, running));
    }
  }

  /**
   * Takes no more lines, sends what it can within {@code closeTimeout}, writes the rest to disk,
   * and reports the ledger to the status logger.
   */
  @Override
  public boolean stop(long timeout, TimeUnit timeUnit) {
    setStopping();
    boolean stopped = super.stop(timeout, timeUnit, false);
    LineAppender running = lines;
    stopped &= running == null || running.stop().stillRunning() == 0;
    setStopped();
    return stopped;
  }

  /**
   * Returns the ledger of the lines: accepted + recoveredAtStartup = delivered + held + lost.
   *
   * @throws IllegalStateException if the appender was never started
   */
  public LedgerSnapshot ledger() {
    return started().ledger();
  }

  /**
   * Returns how many lines were left out because logging an event caused them.
   *
   * @throws IllegalStateException if the appender was never started
   */
  public long excludedLines() {
    return started().excludedLines();
  }

  private LineAppender started() {
    LineAppender running = lines;
    if (running == null) {
      throw new IllegalStateException(
          "the appender " + getName() + " must be started but was not; call start()");
    }
    return running;
  }

  /** Log4j's status logger. */
  private static final class StatusReport implements AppenderReport {
    @Override
    public void info(String message) {
      LOGGER.info("EventLog appender: {}", message);
    }

    @Override
    public void warn(String message) {
      LOGGER.warn("EventLog appender: {}", message);
    }
  }
}
