package holdfast.testkit.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The lines of a logger of Logback. Safe for use by many threads. */
final class LogbackLines extends AppenderBase<ILoggingEvent> implements CapturedLog.Source {
  private final Logger logger;
  private final Consumer<CapturedLog.Line> lines;

  LogbackLines(String name, Consumer<CapturedLog.Line> lines) {
    this.logger = (Logger) LoggerFactory.getLogger(name);
    this.lines = lines;
    setContext(logger.getLoggerContext());
    start();
    logger.setLevel(ch.qos.logback.classic.Level.INFO);
    logger.addAppender(this);
    logger.setAdditive(false);
  }

  @Override
  public void withDetails() {
    logger.setLevel(ch.qos.logback.classic.Level.TRACE);
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.accept(
        new CapturedLog.Line(levelOf(event), event.getFormattedMessage(), thrownWith(event)));
  }

  private static Level levelOf(ILoggingEvent event) {
    return switch (event.getLevel().toInt()) {
      case ch.qos.logback.classic.Level.ERROR_INT -> Level.SEVERE;
      case ch.qos.logback.classic.Level.WARN_INT -> Level.WARNING;
      case ch.qos.logback.classic.Level.INFO_INT -> Level.INFO;
      case ch.qos.logback.classic.Level.DEBUG_INT -> Level.FINE;
      default -> Level.FINER;
    };
  }

  private static @Nullable Throwable thrownWith(ILoggingEvent event) {
    return event.getThrowableProxy() instanceof ThrowableProxy proxy ? proxy.getThrowable() : null;
  }

  @Override
  public void close() {
    logger.setLevel(null);
    logger.detachAppender(this);
    logger.setAdditive(true);
  }
}
