package eventlog.spill;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.Unavailable;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two copies of the library in one JVM, as two web applications have them. */
class TwoClassLoadersTest {
  @TempDir Path directory;

  @Test
  void askingForALockThatTheOtherHasLeaksNoFileAndGetsItLater() throws Exception {
    try (URLClassLoader other = otherLoader()) {
      AutoCloseable held = (AutoCloseable) lockBy(other).orElseThrow();
      assertThat(DirectoryLock.tryAcquire(new SpillFiles(directory))).isEmpty();
      long open = openFiles();

      for (int i = 0; i < 20; i++) {
        assertThat(DirectoryLock.tryAcquire(new SpillFiles(directory))).isEmpty();
      }
      assertThat(openFiles()).isEqualTo(open);
      assertThat(lockBy(other)).as("still locked by the other").isEmpty();

      held.close();
      DirectoryLock mine = DirectoryLock.tryAcquire(new SpillFiles(directory)).orElseThrow();
      assertThat(lockBy(other)).as("locked by this one now").isEmpty();
      mine.close();
    }
  }

  @Test
  void aLockFileThatWasReplacedIsLockedAnew() throws Exception {
    try (URLClassLoader other = otherLoader()) {
      AutoCloseable held = (AutoCloseable) lockBy(other).orElseThrow();
      assertThat(DirectoryLock.tryAcquire(new SpillFiles(directory))).isEmpty();
      Files.delete(new SpillFiles(directory).lock());
      held.close();
      AutoCloseable again = (AutoCloseable) lockBy(other).orElseThrow();

      assertThat(DirectoryLock.tryAcquire(new SpillFiles(directory))).isEmpty();
      again.close();
    }
  }

  private static URLClassLoader otherLoader() throws IOException {
    List<URL> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      path.add(Path.of(entry).toUri().toURL());
    }
    return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private Optional<?> lockBy(ClassLoader loader) throws Exception {
    Class<?> files = loader.loadClass(SpillFiles.class.getName());
    Constructor<?> constructor = files.getConstructor(Path.class);
    Class<?> lock = loader.loadClass(DirectoryLock.class.getName());
    assertThat(lock).isNotEqualTo(DirectoryLock.class);
    Method method = lock.getDeclaredMethod("tryAcquire", files);
    method.setAccessible(true);
    return (Optional<?>) method.invoke(null, constructor.newInstance(directory));
  }

  private long openFiles() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      throw Unavailable.because("open files are counted in " + descriptors);
    }
    try (Stream<Path> open = Files.list(descriptors)) {
      return open.filter(this::isLock).count();
    }
  }

  private boolean isLock(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(directory.toRealPath());
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }
}
