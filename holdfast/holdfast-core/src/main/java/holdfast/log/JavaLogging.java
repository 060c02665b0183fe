package holdfast.log;

import holdfast.lifecycle.Threads;
import java.lang.StackWalker.StackFrame;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Lines of {@code java.util.logging}. Its own shutdown hook removes all handlers while those of
 * libraries run; a line that no handler has taken by then goes to standard error in the usual
 * format. Safe for use by many threads.
 */
final class JavaLogging {
  private static final String OWN_PACKAGE = JavaLogging.class.getPackageName() + ".";

  private final Logger logger;

  JavaLogging(String name) {
    this.logger = Logger.getLogger(name);
  }

  void write(System.Logger.Level level, String line, @Nullable Throwable thrown) {
    NoticingRecord entry = new NoticingRecord(levelOf(level), line);
    entry.setLoggerName(logger.getName());
    entry.setThrown(thrown);
    caller().ifPresent(frame -> setCaller(entry, frame));
    logger.log(entry);
    if (!entry.noticed && !hasHandlers(logger) && Threads.isJvmEnding()) {
      System.err.print(new SimpleFormatter().format(entry));
    }
  }

  private static Level levelOf(System.Logger.Level level) {
    return switch (level) {
      case ALL -> Level.ALL;
      case TRACE -> Level.FINER;
      case DEBUG -> Level.FINE;
      case INFO -> Level.INFO;
      case WARNING -> Level.WARNING;
      case ERROR -> Level.SEVERE;
      case OFF -> Level.OFF;
    };
  }

  private static Optional<StackFrame> caller() {
    return StackWalker.getInstance().walk(s -> s.filter(JavaLogging::isOutside).findFirst());
  }

  private static boolean isOutside(StackFrame frame) {
    String type = frame.getClassName();
    return !type.startsWith(OWN_PACKAGE) && !type.startsWith("java.lang.System$Logger");
  }

  private static void setCaller(LogRecord entry, StackFrame frame) {
    entry.setSourceClassName(frame.getClassName());
    entry.setSourceMethodName(frame.getMethodName());
  }

  private static boolean hasHandlers(Logger logger) {
    for (Logger at = logger; at != null; at = at.getUseParentHandlers() ? at.getParent() : null) {
      if (at.getHandlers().length > 0) {
        return true;
      }
    }
    return false;
  }

  /** Notices that a handler asked for its message. */
  private static final class NoticingRecord extends LogRecord {
    private static final long serialVersionUID = 1L;

    private volatile boolean noticed;

    NoticingRecord(Level level, String message) {
      super(level, message);
    }

    @Override
    public String getMessage() {
      noticed = true;
      return super.getMessage();
    }
  }
}
