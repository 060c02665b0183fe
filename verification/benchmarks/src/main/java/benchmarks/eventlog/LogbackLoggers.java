package benchmarks.eventlog;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import eventlog.logback.EventLogAppender;
import holdfast.ledger.LedgerSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Logback with one appender. */
final class LogbackLoggers implements LogBeside.Contender {
  private static final int QUEUE = 10_000;

  private final LoggerContext context;
  private final Logger logger;
  private final Supplier<String> remark;
  private final AutoCloseable other;
  private long number;

  private LogbackLoggers(
      LoggerContext context,
      Appender<ILoggingEvent> appender,
      Supplier<String> remark,
      AutoCloseable other) {
    this.context = context;
    this.logger = context.getLogger("benchmark.step");
    this.remark = remark;
    this.other = other;
    logger.addAppender(appender);
  }

  private static LoggerContext context() {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    return context;
  }

  /** Its asynchronous appender in front of a file, set so that it loses nothing. */
  static LogbackLoggers asyncFile(Path directory) {
    LoggerContext context = context();
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d [%thread] %-5level %logger - %msg%n");
    encoder.start();
    FileAppender<ILoggingEvent> file = new FileAppender<>();
    file.setContext(context);
    file.setEncoder(encoder);
    file.setFile(directory.resolve("logback.log").toString());
    file.start();
    AsyncAppender async = new AsyncAppender();
    async.setContext(context);
    async.setQueueSize(QUEUE);
    async.setDiscardingThreshold(0);
    async.addAppender(file);
    async.start();
    return new LogbackLoggers(
        context, async, () -> async.getNumberOfElementsInQueue() + " in its queue", () -> {});
  }

  /** The event log behind Logback, with an API that takes connections and never answers. */
  static LogbackLoggers eventLog(Path directory) throws IOException {
    ServerSocket silent = new ServerSocket(0, QUEUE, InetAddress.getLoopbackAddress());
    LoggerContext context = context();
    EventLogAppender appender = new EventLogAppender();
    appender.setContext(context);
    appender.setBaseUri("http://localhost:" + silent.getLocalPort());
    appender.setApplicationId("benchmark");
    appender.setSpilloverPath(directory.resolve("spill").toString());
    appender.setMaxSpilloverEvents("100000000");
    appender.setMaxSpilloverSizeBytes("4 GiB");
    appender.setCloseTimeout("0 ms");
    appender.start();
    return new LogbackLoggers(
        context,
        appender,
        () -> appender.ledger().map(LedgerSnapshot::toLine).orElse("not started"),
        silent);
  }

  @Override
  public boolean log() {
    logger.info("order {} placed, {} items", number++, 3);
    return true;
  }

  @Override
  public String remark() {
    return remark.get();
  }

  @Override
  public void close() {
    context.stop();
    try {
      other.close();
    } catch (Exception e) {
      throw new IllegalStateException("not closed, the figures are void", e);
    }
  }
}
