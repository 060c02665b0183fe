package benchmarks.tracer;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.async.AsyncLoggerContext;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.NullConfiguration;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.util.Unbox;

/** Log4j's asynchronous logger as its documentation sets it up to allocate nothing. */
final class Log4jLogger implements Recorder {
  private final AtomicLong taken = new AtomicLong();
  private final AsyncLoggerContext context = new AsyncLoggerContext("trace-cost");
  private final Reader reader = new Reader();
  private final Logger logger;

  Log4jLogger() {
    context.start(new NullConfiguration()); // which puts defaults in the place of nothing
    LoggerConfig root = context.getConfiguration().getRootLogger();
    root.getAppenders().keySet().forEach(root::removeAppender);
    reader.start();
    root.setLevel(Level.INFO);
    root.addAppender(reader, Level.INFO, null);
    context.updateLoggers();
    this.logger = context.getLogger("benchmark.step");
  }

  /** Reads events on the logger's own thread. */
  private final class Reader extends AbstractAppender {
    private long count;
    private long sum;

    Reader() {
      super("reader", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      sum += event.getTimeMillis() + event.getThreadId() + event.getMessage().hashCode();
      count++;
      if (event.isEndOfBatch()) {
        taken.setRelease(count);
      }
    }
  }

  @Override
  public void record(long a, long b) {
    logger.info("{} {}", Unbox.box(a), Unbox.box(b));
  }

  @Override
  public long taken() {
    return taken.get();
  }

  @Override
  public void close() {
    context.stop();
    Sums.keep(reader.sum);
  }
}
