package tracer;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Shows a flight recorder to JMX. Registered and unregistered by one thread at a time. */
final class RecorderBean {
  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final AtomicInteger LAST = new AtomicInteger();

  private final FlightRecorderMXBean recorder;
  private volatile @Nullable ObjectName registered;

  RecorderBean(FlightRecorderMXBean recorder) {
    this.recorder = recorder;
  }

  /** Registers it; a tracer works without, so a failure is only logged. */
  void register() {
    try {
      ObjectName name = new ObjectName("tracer:type=FlightRecorder,name=" + LAST.incrementAndGet());
      ManagementFactory.getPlatformMBeanServer().registerMBean(recorder, name);
      registered = name;
    } catch (JMException | SecurityException e) {
      LOG.log(WARNING, "tracer flight recorder is not shown by JMX", e);
    }
  }

  /** Unregisters it if it is registered. */
  void unregister() {
    ObjectName name = registered;
    registered = null;
    if (name == null) {
      return;
    }
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      // Somebody else has unregistered it, which is what is wanted.
    } catch (JMException | SecurityException e) {
      LOG.log(WARNING, "tracer flight recorder is still shown by JMX name=" + name, e);
    }
  }
}
