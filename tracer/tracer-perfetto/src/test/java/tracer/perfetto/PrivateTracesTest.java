package tracer.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import tracer.Tracer;

/** Only the owner may read traces, and none is written through a symbolic link. */
class PrivateTracesTest extends FilesFixture {

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private void trace(Path into) throws InterruptedException {
    Tracer tracer = started(PerfettoFiles.in(into));
    record(tracer, 0, 10);
    flush(tracer);
    tracer.close();
  }

  @Test
  void directoryAndFilesAreTheOwnersAlone() throws Exception {
    Path traces = directory.resolve("made/by/tracer");
    trace(traces);

    assertThat(permissions(directory.resolve("made"))).isEqualTo("rwx------");
    assertThat(permissions(traces)).isEqualTo("rwx------");
    assertThat(permissions(Segments.list(traces).get(0))).isEqualTo("rw-------");
  }

  @Test
  void aLinkInThePlaceOfAFileIsLeftAlone() throws Exception {
    trace(directory);
    Path made = segments().get(0);
    Path target = Files.writeString(directory.resolve("precious"), "do not touch");
    Files.delete(made);
    Files.createSymbolicLink(made, target);

    trace(directory); // at the same time of the clock, so with the same first name

    assertThat(Files.readString(target)).isEqualTo("do not touch");
    assertThat(segments()).hasSize(2).contains(made);
    List<Path> others = segments().stream().filter(path -> !path.equals(made)).toList();
    assertThat(permissions(others.get(0))).isEqualTo("rw-------");
  }
}
