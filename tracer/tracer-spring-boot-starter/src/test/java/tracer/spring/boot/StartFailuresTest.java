package tracer.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.spring.test.Starts;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tracer.Tracer;

/** What a newcomer reads when something is missing: what is wrong, and what to do. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class StartFailuresTest {
  @TempDir Path directory;

  @Configuration
  @EnableAutoConfiguration
  static class App {
    @Bean
    Object user(Tracer tracer) {
      return tracer.index();
    }
  }

  @Configuration
  @Import(App.class)
  static class Customized {
    @Bean
    TracerCustomizer customizer() {
      return builder -> builder.producers(0);
    }
  }

  @Test
  void noDirectory(CapturedOutput output) {
    Starts.assertSays(
        output,
        "a bean wants Tracer, but the tracer needs a directory for its files but there is none",
        "set tracer.directory, or define a TraceSink bean, or set tracer.enabled=false",
        App.class);
  }

  @Test
  void allBadPropertiesAreNamedAtOnce(CapturedOutput output) {
    Starts.assertSays(
        output,
        "the properties of the tracer are out of range",
        "correct the settings of the tracer",
        App.class,
        "tracer.directory=a\0b",
        "tracer.emergency-file= ",
        "tracer.process-name= ",
        "tracer.peak-rate=0",
        "tracer.burst-window=0s",
        "tracer.producers=0",
        "tracer.largest-detail=0B",
        "tracer.memory-limit=0B",
        "tracer.flush-interval=0s",
        "tracer.disk-slow-after=0s",
        "tracer.emergency-wait=-1s",
        "tracer.close-timeout=-1s",
        "tracer.segment-bytes=0B",
        "tracer.total-bytes=-1B",
        "tracer.keep-last=0s",
        "tracer.keep-last-bytes=0B",
        "tracer.dump-pause=-1s",
        "tracer.dump-when-slower.checkout=0s",
        "tracer.dump-when-slower.shop.checkout=soon",
        "tracer.exclude.categories[0]= ",
        "tracer.exclude.names[0]= ",
        "tracer.observations.max-names=0");

    assertThat(output.getOut())
        .contains("tracer.directory must be a path but was")
        .contains("tracer.emergency-file must be a path but was")
        .contains("tracer.process-name must not be blank")
        .contains("tracer.peak-rate must be 1 or more but was 0")
        .contains("tracer.burst-window must be more than zero but was PT0S")
        .contains("tracer.producers must be 1 or more but was 0")
        .contains("tracer.largest-detail must be from 1 byte to 2 GB but was 0B")
        .contains("tracer.memory-limit must be 1 byte or more but was 0B")
        .contains("tracer.flush-interval must be more than zero")
        .contains("tracer.disk-slow-after must be more than zero")
        .contains("tracer.emergency-wait must be zero or more but was PT-1S")
        .contains("tracer.close-timeout must be zero or more but was PT-1S")
        .contains("tracer.segment-bytes must be 1 byte or more but was 0B")
        .contains("tracer.total-bytes must be 1 byte or more but was -1B")
        .contains("tracer.keep-last must be more than zero")
        .contains("tracer.keep-last-bytes must be 1 byte or more")
        .contains("tracer.dump-pause must be zero or more")
        .contains("tracer.dump-when-slower.checkout must be more than zero")
        .contains(
            "tracer.dump-when-slower.shop.checkout must be a duration as 2s or 300ms but was 'soon'")
        .contains("tracer.exclude.categories must have no blank name")
        .contains("tracer.exclude.names must have no blank name")
        .contains("tracer.observations.max-names must be from 1 to 32768 but was 0");
  }

  @Test
  void settingsThatDoNotFitTogether(CapturedOutput output) {
    Starts.assertSays(
        output,
        "dumpWhenSlower needs a flight recorder",
        "correct the settings of the tracer",
        App.class,
        "tracer.directory=" + directory,
        "tracer.dump-when-slower.checkout=2s");
  }

  @Test
  void aCustomizerThatGoesTooFar(CapturedOutput output) {
    Starts.assertSays(
        output,
        "producers must be from 1",
        "correct the settings of the tracer",
        Customized.class,
        "tracer.directory=" + directory);
  }

  @Test
  void whereAllIsWellNothingIsSaid(CapturedOutput output) {
    Starts.run(App.class, "tracer.directory=" + directory);

    assertThat(output.getOut()).doesNotContain("tracer is not there", "FAILED", "WARN");
  }

  @Test
  void switchedOffBeansGetATracerThatRecordsNothing(CapturedOutput output) {
    Starts.run(App.class, "tracer.enabled=false");

    assertThat(output.getOut()).doesNotContain("tracer is not there", "FAILED", "WARN");
  }
}
