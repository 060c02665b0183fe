package holdfast.log;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * The logger of a library. Every message is one line: what could forge another is escaped, see
 * {@link LogText#escape}. A line that is written while the JVM ends reaches the log also where
 * {@code java.util.logging} is the log and has closed its handlers already. Safe for use by many
 * threads.
 */
public final class LibraryLogger implements System.Logger {
  private static final boolean JAVA_LOGGING =
      "java.logging".equals(System.LoggerFinder.getLoggerFinder().getClass().getModule().getName());

  private final System.Logger log;
  private final @Nullable JavaLogging javaLogging;

  private LibraryLogger(String library) {
    this.log = System.getLogger(library);
    this.javaLogging = JAVA_LOGGING ? new JavaLogging(library) : null;
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
    if (javaLogging == null) {
      log.log(level, bundle, line, thrown);
    } else {
      javaLogging.write(level, line, thrown);
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
