package holdfast.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BuildProcessTest {

  @Test
  void isTheNearestJvmAroundThisOne() throws IOException, InterruptedException {
    List<String> untold =
        new ArrayList<>(JavaCommand.of(List.of(), Children.Settings.class, List.of()));
    untold.removeIf(word -> word.startsWith("-D" + BuildProcess.PROPERTY));
    Process child =
        new ProcessBuilder(throughAShell(untold))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).isZero();
    assertThat(output.lines().findFirst()).contains(Long.toString(ProcessHandle.current().pid()));
  }

  /** Build tools start their test JVMs like this. */
  private static List<String> throughAShell(List<String> command) {
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", "\"$@\"; exit $?", "sh"));
    words.addAll(command);
    return words;
  }

  @Test
  void saysWhenTheOneItWasToldHasEnded() throws InterruptedException {
    long ended;
    try (ChildJvm child = ChildJvm.of(Children.Echo.class).start()) {
      child.awaitExit(Duration.ofSeconds(30));
      ended = child.pid();
    }
    try (ChildJvm child =
        ChildJvm.of(Children.Settings.class)
            .jvmOptions("-D" + BuildProcess.PROPERTY + "=" + ended)
            .start()) {
      assertThat(child.awaitExit(Duration.ofSeconds(30))).isEqualTo(1);
      assertThat(child.errors())
          .contains("must name a running process but " + ended + " has ended");
    }
  }
}
