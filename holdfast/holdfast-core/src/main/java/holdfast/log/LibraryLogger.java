package holdfast.log;

import java.util.Iterator;
import java.util.ResourceBundle;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The logger of a library. Every message is one line: what could forge another is escaped, see
 * {@link LogText#escape}. A throwable whose message could do that, or that cannot be printed, is
 * logged as a copy with the same frames. A line that is written while the JVM ends reaches the log
 * also where {@code java.util.logging} is the log and has closed its handlers already. Safe for use
 * by many threads.
 */
public final class LibraryLogger implements System.Logger {
  private static final System.LoggerFinder LOGGERS = loggers();

  private final System.Logger log;
  private final @Nullable JavaLogging javaLogging;

  private LibraryLogger(String library) {
    this.log = LOGGERS.getLogger(library, LibraryLogger.class.getModule());
    this.javaLogging = isJavaLogging(LOGGERS) ? new JavaLogging(library) : null;
  }

  private static boolean isJavaLogging(System.LoggerFinder loggers) {
    return "java.logging".equals(loggers.getClass().getModule().getName());
  }

  /**
   * Those of the JVM, or where it has none but its own, those that this class can see: the JVM does
   * not look into an executable jar of Spring Boot.
   */
  private static System.LoggerFinder loggers() {
    System.LoggerFinder ofJvm = System.LoggerFinder.getLoggerFinder();
    if (!isJavaLogging(ofJvm)) {
      return ofJvm;
    }
    try {
      Iterator<System.LoggerFinder> seen =
          ServiceLoader.load(System.LoggerFinder.class, LibraryLogger.class.getClassLoader())
              .iterator();
      return seen.hasNext() ? seen.next() : ofJvm;
    } catch (ServiceConfigurationError e) { // the JVM would not use it either
      return ofJvm;
    }
  }

  /** Returns the logger of a library, which has its name. */
  public static System.Logger of(String library) {
    return new LibraryLogger(library);
  }

  @Override
  public String getName() {
    return log.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    return log.isLoggable(level);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    if (!log.isLoggable(level)) {
      return;
    }
    String line = LogText.escape(message);
    Throwable trace = EscapedThrowable.of(thrown);
    if (javaLogging == null) {
      log.log(level, bundle, line, trace);
    } else {
      javaLogging.write(level, line, trace);
    }
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object @Nullable ... params) {
    if (!log.isLoggable(level)) {
      return;
    }
    boolean hasParams = format != null && params != null && params.length > 0;
    String message = hasParams ? java.text.MessageFormat.format(format, params) : format;
    log(level, bundle, message, (Throwable) null);
  }
}
