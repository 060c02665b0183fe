package holdfast.testkit.process;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The process whose life is that of the build: what all its test JVMs share ends with it. Safe for
 * use by many threads.
 *
 * <p>It is the nearest ancestor of this JVM that is a JVM, too: Maven for a test JVM it forked, the
 * development environment for one started there. Without such an ancestor it is this JVM. A JVM
 * started by {@link ChildJvm} belongs to the build of its parent.
 */
public final class BuildProcess {

  /** The system property by which a parent tells a child JVM the process id of the build. */
  public static final String PROPERTY = "holdfast.testkit.build";

  private BuildProcess() {}

  /**
   * The build process of this JVM.
   *
   * @throws IllegalStateException if this JVM was told a build process that has ended
   */
  public static ProcessHandle current() {
    @Nullable String told = System.getProperty(PROPERTY);
    return told == null ? nearestJvm(ProcessHandle.current()) : byId(told);
  }

  private static ProcessHandle byId(String id) {
    return ProcessHandle.of(Long.parseLong(id))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "system property %s must name a running process but %s has ended"
                        .formatted(PROPERTY, id)));
  }

  private static ProcessHandle nearestJvm(ProcessHandle self) {
    Optional<ProcessHandle> ancestor = self.parent();
    while (ancestor.isPresent() && !isJvm(ancestor.get())) {
      ancestor = ancestor.flatMap(ProcessHandle::parent);
    }
    return ancestor.orElse(self);
  }

  private static boolean isJvm(ProcessHandle process) {
    return process.info().command().map(command -> Path.of(command).endsWith("java")).orElse(false);
  }
}
