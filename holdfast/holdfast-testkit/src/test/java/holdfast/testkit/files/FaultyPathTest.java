package holdfast.testkit.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardWatchEventKinds;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultyPathTest {

  @TempDir Path directory;
  private Path root;
  private FileSystem fileSystem;

  @BeforeEach
  void open() {
    root = FaultyFiles.over(directory).root();
    fileSystem = root.getFileSystem();
  }

  @Test
  void readsAsAPathFromTheRoot() {
    assertThat(root).hasToString("/");
    assertThat(root.resolve("a").resolve("b")).hasToString("/a/b");
    assertThat(root.resolve("a/b").resolveSibling("c")).hasToString("/a/c");
    assertThat(fileSystem.getPath("a", "b", "c")).hasToString("a/b/c");
  }

  @Test
  void hasPartsAsAnyPath() {
    Path path = root.resolve("a/b/c");
    assertThat(path.getNameCount()).isEqualTo(3);
    assertThat(path.getName(1)).hasToString("b");
    assertThat(path.getFileName()).hasToString("c");
    assertThat(path.getParent()).isEqualTo(root.resolve("a/b"));
    assertThat(path.getRoot()).isEqualTo(root);
    assertThat(path.subpath(0, 2)).hasToString("a/b");
    assertThat(path.iterator()).toIterable().map(Path::toString).containsExactly("a", "b", "c");
    assertThat(root.getParent()).isNull();
    assertThat(root.getFileName()).isNull();
    assertThat(fileSystem.getPath("a").getRoot()).isNull();
    assertThat(fileSystem.getPath("a").getParent()).isNull();
  }

  @Test
  void beginsAndEndsWithItsParts() {
    Path path = root.resolve("a/b/c");
    assertThat(path.startsWith(root.resolve("a"))).isTrue();
    assertThat(path.startsWith("/a/b")).isTrue();
    assertThat(path.startsWith(root.resolve("b"))).isFalse();
    assertThat(path.endsWith(fileSystem.getPath("b/c"))).isTrue();
    assertThat(path.endsWith("c")).isTrue();
    assertThat(path.startsWith(Path.of("/a"))).isFalse();
    assertThat(path.endsWith(Path.of("c"))).isFalse();
  }

  @Test
  void normalizesAndRelativizes() {
    assertThat(root.resolve("a/./b/../c").normalize()).isEqualTo(root.resolve("a/c"));
    assertThat(root.resolve("a").relativize(root.resolve("b/c"))).hasToString("../b/c");
    assertThat(fileSystem.getPath("a").toAbsolutePath()).isEqualTo(root.resolve("a"));
    assertThat(root.resolve("a").toAbsolutePath()).isEqualTo(root.resolve("a"));
    assertThat(fileSystem.getPath("a").isAbsolute()).isFalse();
  }

  @Test
  void isEqualToTheSamePathOfTheSameFileSystemOnly() {
    Path path = root.resolve("a");
    assertThat(path).isEqualTo(fileSystem.getPath("/a")).hasSameHashCodeAs(root.resolve("a"));
    assertThat(path).isNotEqualTo(root.resolve("b"));
    assertThat(path).isNotEqualTo(Path.of("/a"));
    assertThat(path).isNotEqualTo(FaultyFiles.over(directory).root().resolve("a"));
  }

  @Test
  void hasAnOrder() {
    assertThat(new TreeSet<>(List.of(root.resolve("b"), root.resolve("a"), root)))
        .containsExactly(root, root.resolve("a"), root.resolve("b"));
  }

  @Test
  void leadsNowhereAboveTheRoot() throws IOException {
    Files.writeString(root.resolve("../../x/../up"), "still inside");
    assertThat(directory.resolve("up")).hasContent("still inside");
    assertThat(Files.readString(fileSystem.getPath("up"))).isEqualTo("still inside");
  }

  @Test
  void findsItsRealPath() throws IOException {
    Files.createDirectory(root.resolve("a"));
    assertThat(root.resolve("a/../a/.").toRealPath()).isEqualTo(root.resolve("a"));
    assertThat(root.toRealPath()).isEqualTo(root);
    assertThatThrownBy(() -> root.resolve("none").toRealPath()).isInstanceOf(IOException.class);
  }

  @Test
  void hasNoFileSoThatWhatSlipsPastIsFound() {
    assertThatThrownBy(root::toFile)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("use Files and FileChannel");
  }

  @Test
  void hasAUriThatOpensNothingByItself() {
    assertThat(root.resolve("a b").toUri()).isEqualTo(URI.create("faulty:/a%20b"));
    assertThatThrownBy(() -> fileSystem.provider().getPath(URI.create("faulty:/a")))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("FaultyFiles.root()");
  }

  @Test
  void doesNotMixWithOtherFileSystems() {
    assertThatThrownBy(() -> root.resolve(Path.of("a")))
        .isInstanceOf(ProviderMismatchException.class)
        .hasMessageContaining("'a' is of another one");
    assertThatThrownBy(() -> root.relativize(directory))
        .isInstanceOf(ProviderMismatchException.class);
  }

  @Test
  void cannotBeWatched() throws IOException {
    assertThatThrownBy(fileSystem::newWatchService)
        .isInstanceOf(UnsupportedOperationException.class);
    try (var watcher = FileSystems.getDefault().newWatchService()) {
      assertThatThrownBy(() -> root.register(watcher, StandardWatchEventKinds.ENTRY_CREATE))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void belongsToAFileSystemThatDescribesItself() throws IOException {
    assertThat(fileSystem.isOpen()).isTrue();
    assertThat(fileSystem.isReadOnly()).isFalse();
    assertThat(fileSystem.provider().getScheme()).isEqualTo("faulty");
    assertThat(fileSystem.getRootDirectories()).containsExactly(root);
    assertThat(fileSystem.getFileStores()).containsExactly(Files.getFileStore(directory));
    assertThat(fileSystem.supportedFileAttributeViews()).contains("basic");
    assertThat(fileSystem.getPathMatcher("glob:*.log").matches(fileSystem.getPath("a.log")))
        .isTrue();
    assertThat(fileSystem.getUserPrincipalLookupService()).isNotNull();
    assertThatThrownBy(fileSystem::close).isInstanceOf(UnsupportedOperationException.class);
  }
}
