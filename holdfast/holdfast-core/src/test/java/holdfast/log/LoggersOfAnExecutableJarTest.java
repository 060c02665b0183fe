package holdfast.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An executable jar has a class loader of its own, into which the JVM does not look for loggers.
 */
class LoggersOfAnExecutableJarTest {
  @TempDir Path directory;

  /** What the jar brings. */
  public static final class Finder extends System.LoggerFinder {
    @Override
    public System.Logger getLogger(String name, Module module) {
      return new Recording(name);
    }
  }

  /** Keeps the lines for all who are loaded with it. */
  public static final class Recording implements System.Logger {
    /** What was logged. */
    public static final List<String> LINES = new ArrayList<>();

    private final String name;

    Recording(String name) {
      this.name = name;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      LINES.add(name + " " + message);
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object @Nullable ... params) {
      LINES.add(name + " " + format);
    }
  }

  @Test
  void areUsedWhereTheJvmHasNone() throws Exception {
    Path service = directory.resolve("META-INF/services/" + System.LoggerFinder.class.getName());
    Files.createDirectories(service.getParent());
    Files.write(service, Finder.class.getName().getBytes(UTF_8));
    URL[] jar = {directory.toUri().toURL(), placeOf(LibraryLogger.class), placeOf(Finder.class)};
    try (URLClassLoader loader = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
      System.Logger logger =
          (System.Logger)
              loader
                  .loadClass(LibraryLogger.class.getName())
                  .getMethod("of", String.class)
                  .invoke(null, "shop");
      logger.log(System.Logger.Level.INFO, "closed\n");

      assertThat(loader.loadClass(Recording.class.getName()).getField("LINES").get(null))
          .isEqualTo(List.of("shop closed\\n"));
    }
  }

  private static URL placeOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
