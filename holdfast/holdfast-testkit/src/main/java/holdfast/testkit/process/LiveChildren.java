package holdfast.testkit.process;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The children that run now; killed when this JVM ends. Safe for use by many threads. */
final class LiveChildren {

  private static final Set<Process> LIVE = new HashSet<>(); // guarded by the class
  private static boolean ending; // guarded by the class

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(LiveChildren::killAll, "kill child JVMs"));
  }

  private LiveChildren() {}

  /** Starts a child, unless this JVM is ending: then nobody would kill it. */
  static synchronized Process start(ProcessBuilder builder) throws IOException {
    if (ending) {
      throw new IOException("this JVM is ending and starts no more children");
    }
    LIVE.removeIf(child -> !child.isAlive());
    Process process = builder.start();
    LIVE.add(process);
    return process;
  }

  private static synchronized void killAll() {
    ending = true;
    LIVE.forEach(child -> child.toHandle().destroyForcibly());
    LIVE.forEach(child -> child.onExit().orTimeout(5, TimeUnit.SECONDS).join());
  }
}
