package benchmarks.tracer;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.async.AsyncLoggerContext;
import org.apache.logging.log4j.core.config.DefaultConfiguration;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.util.Unbox;

/**
 * Log4j's asynchronous logger in its way without garbage, with an appender that reads the event.
 */
final class AsyncLogger implements Recorder {
  private final AtomicLong taken = new AtomicLong();
  private final AsyncLoggerContext context = new AsyncLoggerContext("benchmark");
  private final Logger logger;
  private long sum;

  AsyncLogger() {
    DefaultConfiguration configuration = new DefaultConfiguration();
    AbstractAppender reading =
        new AbstractAppender("reading", null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            read(event);
          }
        };
    reading.start();
    configuration.getRootLogger().removeAppender("DefaultConsole-1");
    configuration.getRootLogger().addAppender(reading, Level.INFO, null);
    configuration.getRootLogger().setLevel(Level.INFO);
    context.start(configuration);
    this.logger = context.getLogger("benchmark.step");
  }

  private void read(LogEvent event) {
    sum += event.getTimeMillis() + event.getThreadId();
    taken.setRelease(taken.getPlain() + 1);
  }

  @Override
  public void record(long a, long b) {
    logger.info("step {} {}", Unbox.box(a), Unbox.box(b));
  }

  @Override
  public long taken() {
    return taken.get();
  }

  @Override
  public void close() {
    context.stop();
    Sums.keep(sum);
  }
}
