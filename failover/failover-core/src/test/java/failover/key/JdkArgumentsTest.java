package failover.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.canonical.CanonicalKeys;
import failover.key.canonical.KeyTypes;
import failover.key.canonical.UnkeyableArgumentException;
import java.io.File;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of the JDK whose fields nobody may read. */
class JdkArgumentsTest {
  private static StoreKey key(Object arg) throws UnkeyableArgumentException {
    return CanonicalKeys.of("price", Arrays.asList(arg));
  }

  @Test
  void timesOfSqlFilesAndPathsHaveKeysOfTheirOwn() throws UnkeyableArgumentException {
    List<StoreKey> keys =
        List.of(
            key(new Date(1)),
            key(new java.sql.Date(1)),
            key(new java.sql.Date(2)),
            key(new Time(1)),
            key(new Time(2)),
            key(new Timestamp(1)),
            key(new Timestamp(2)),
            key(Timestamp.from(Instant.ofEpochSecond(0, 1_000_001))),
            key(new File("a")),
            key(new File("b")),
            key(Path.of("a")),
            key(Path.of("b")),
            key(Path.of("a").toAbsolutePath()),
            key("a"));
    assertThat(keys).doesNotHaveDuplicates();
    assertThat(key(new java.sql.Date(1))).isEqualTo(key(new java.sql.Date(1)));
    assertThat(key(Timestamp.from(Instant.ofEpochSecond(7, 8))))
        .isEqualTo(key(Timestamp.from(Instant.ofEpochSecond(7, 8))));
    assertThat(key(new File("a/b"))).isEqualTo(key(new File("a", "b")));
    assertThat(key(Path.of("a/b"))).isEqualTo(key(Path.of("a").resolve("b")));
    for (Class<?> type :
        List.of(
            java.sql.Date.class,
            Time.class,
            Timestamp.class,
            File.class,
            Path.class,
            Path.of("a").getClass())) {
      assertThat(KeyTypes.problem(type)).as(type.getName()).isEmpty();
    }
  }

  @Test
  void theirIdsAreForEver() throws UnkeyableArgumentException {
    assertThat(key(new java.sql.Date(7)).id()).isEqualTo("3d5adfdf-85bf-653d-99f3-0807e8120967");
    assertThat(key(new Timestamp(7)).id()).isEqualTo("604316fe-51a3-ad70-abdc-8955f2c062a8");
    assertThat(key(new File("a")).id()).isEqualTo("721d7067-df6c-cef4-dd51-65b0e8095ab3");
    assertThat(key(Path.of("a")).id()).isEqualTo("640b569e-ec44-95f1-7c30-b1566e9c2558");
  }

  /** When clocks are put back, the text of one hour comes twice. */
  @Test
  void theTimeZoneDoesNotCount() throws UnkeyableArgumentException {
    Timestamp first = Timestamp.from(Instant.parse("2026-10-25T00:30:00Z"));
    Timestamp second = Timestamp.from(Instant.parse("2026-10-25T01:30:00Z"));
    StoreKey before = key(first);
    TimeZone zone = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try {
      assertThat(first.toString()).isEqualTo(second.toString());
      assertThat(key(first)).isNotEqualTo(key(second)).isEqualTo(before);
    } finally {
      TimeZone.setDefault(zone);
    }
  }

  @Test
  void pathsThatAreNoTextShareNoKey() {
    assertThat(keyOrProblem("file:///%FF")).isNotEqualTo(keyOrProblem("file:///%FE"));
  }

  /** In some character sets each byte is a character. */
  private static String keyOrProblem(String uri) {
    try {
      return key(Path.of(URI.create(uri))).id();
    } catch (UnkeyableArgumentException e) {
      assertThat(e).hasMessageContaining("a path must be of characters");
      return uri;
    }
  }

  @Test
  void pathsOfOtherFileSystemsHaveNone(@TempDir Path folder) throws Exception {
    URI zip = URI.create("jar:" + folder.resolve("a.zip").toUri());
    try (FileSystem other = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      assertThatThrownBy(() -> key(other.getPath("a")))
          .isInstanceOf(UnkeyableArgumentException.class);
    }
  }
}
