package benchmarks.eventlog;

import java.nio.file.Path;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.RandomAccessFileAppender;
import org.apache.logging.log4j.core.async.AsyncLoggerContext;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.NullConfiguration;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.apache.logging.log4j.util.Unbox;

/** Log4j's asynchronous logger in front of a file, as its documentation sets it up. */
final class Log4jFile implements LogBeside.Contender {
  private final AsyncLoggerContext context = new AsyncLoggerContext("log-beside");
  private final Logger logger;
  private long number;

  Log4jFile(Path directory) {
    context.start(new NullConfiguration()); // which puts defaults in the place of nothing
    LoggerConfig root = context.getConfiguration().getRootLogger();
    root.getAppenders().keySet().forEach(root::removeAppender);
    RandomAccessFileAppender file =
        RandomAccessFileAppender.newBuilder()
            .setName("file")
            .setFileName(directory.resolve("log4j.log").toString())
            .setImmediateFlush(false)
            .setLayout(
                PatternLayout.newBuilder().withPattern("%d [%t] %-5level %logger - %msg%n").build())
            .setConfiguration(context.getConfiguration())
            .build();
    file.start();
    root.setLevel(Level.INFO);
    root.addAppender(file, Level.INFO, null);
    context.updateLoggers();
    this.logger = context.getLogger("benchmark.step");
  }

  @Override
  public boolean log() {
    logger.info("order {} placed, {} items", Unbox.box(number++), Unbox.box(3));
    return true;
  }

  @Override
  public String remark() {
    return "";
  }

  @Override
  public void close() {
    context.stop();
  }
}
