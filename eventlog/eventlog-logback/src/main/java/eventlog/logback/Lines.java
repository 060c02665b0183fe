package eventlog.logback;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import eventlog.appender.LineAppender;
import eventlog.appender.LogLine;
import eventlog.appender.LogLine.LoggedException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;

/** Reads what Logback knows of a line. Stateless. */
final class Lines {
  private Lines() {}

  static LogLine of(ILoggingEvent event, LineAppender appender) {
    Level level = event.getLevel();
    return new LogLine(
        time(event),
        level.levelStr,
        severity(level),
        event.getLoggerName(),
        event.getThreadName(),
        event.getFormattedMessage(),
        orEmpty(event.getMDCPropertyMap()),
        markers(event.getMarkerList()),
        keyValues(event.getKeyValuePairs()),
        exception(event.getThrowableProxy(), appender));
  }

  private static Instant time(ILoggingEvent event) {
    Instant time = event.getInstant();
    return time == null ? Instant.ofEpochMilli(event.getTimeStamp()) : time;
  }

  private static LogLine.Severity severity(Level level) {
    if (level.isGreaterOrEqual(Level.ERROR)) {
      return LogLine.Severity.ERROR;
    }
    return level.isGreaterOrEqual(Level.WARN) ? LogLine.Severity.WARNING : LogLine.Severity.NORMAL;
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
    return map == null ? Map.of() : map;
  }

  private static List<String> markers(@Nullable List<Marker> markers) {
    return markers == null ? List.of() : markers.stream().map(Marker::getName).toList();
  }

  private static Map<String, Object> keyValues(@Nullable List<KeyValuePair> pairs) {
    if (pairs == null || pairs.isEmpty()) {
      return Map.of();
    }
    Map<String, Object> values = new LinkedHashMap<>();
    pairs.forEach(pair -> values.put(String.valueOf(pair.key), pair.value));
    return values;
  }

  /** A proxy without its exception is that of a line from another process. */
  private static @Nullable LoggedException exception(
      @Nullable IThrowableProxy proxy, LineAppender appender) {
    if (proxy == null) {
      return null;
    }
    return proxy instanceof ThrowableProxy local
        ? appender.describe(local.getThrowable())
        : new LoggedException(
            proxy.getClassName(), proxy.getMessage(), ThrowableProxyUtil.asString(proxy));
  }
}
