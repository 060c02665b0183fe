package perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.time.SettableTime;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tracer.Tracer;
import tracer.spring.Traced;

/** The files of an application with the starter: observations, traced methods, dumps. */
class StarterFilesTest extends TraceFixture {
  private static final Duration STEP = Duration.ofMillis(3);

  /** A bean that is traced. */
  static class Till {
    private final ObservationRegistry observations;
    private final SettableTime time;

    Till(ObservationRegistry observations, SettableTime time) {
      this.observations = observations;
      this.time = time;
    }

    @Traced("shop.checkout")
    public void checkOut(String payment) {
      time.advance(STEP);
      Observation.createNotStarted("shop.pay", observations)
          .lowCardinalityKeyValue("payment", payment)
          .observe(() -> time.advance(STEP));
      time.advance(STEP);
    }
  }

  @Configuration
  @EnableAutoConfiguration
  static class App {
    @Bean
    Till till(ObservationRegistry observations, SettableTime time) {
      return new Till(observations, time);
    }

    /** So that how long anything takes does not depend on the machine. */
    @Bean
    SettableTime time() {
      return new SettableTime();
    }
  }

  private ConfigurableApplicationContext application(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("tracer.directory=" + directory);
    all.add("spring.application.name=shop");
    all.add("spring.main.banner-mode=off");
    return new SpringApplicationBuilder(App.class)
        .web(WebApplicationType.NONE)
        .properties(all.toArray(String[]::new))
        .run();
  }

  private static void checkOut(ConfigurableApplicationContext application) throws Exception {
    Till till = application.getBean(Till.class);
    till.checkOut("card");
    Thread thread = new Thread(() -> till.checkOut("cash"), "cash desk");
    thread.start();
    thread.join();
    // Stopped by another thread: an asynchronous span.
    Observation later =
        Observation.start("shop.delivery", application.getBean(ObservationRegistry.class));
    application.getBean(SettableTime.class).advance(STEP);
    onAnotherThread("courier", later::stop);
  }

  private void assertSpans(Path file) {
    assertThat(processor.open(file).complaints()).isEmpty();
    assertThat(
            processor.rows(
                "select s.name, s.depth, parent.name, extract_arg(s.arg_set_id, 'debug.payment'),"
                    + " p.name from slice s left join slice parent on s.parent_id = parent.id"
                    + " join thread_track k on s.track_id = k.id join thread t using (utid)"
                    + " join process p using (upid) where s.name like 'shop.%' order by s.ts, s.id"))
        .containsExactly(
            "shop.checkout | 0 | null | null | shop",
            "shop.pay | 1 | shop.checkout | card | shop",
            "shop.checkout | 0 | null | null | shop",
            "shop.pay | 1 | shop.checkout | cash | shop");
    assertThat(
            processor.rows(
                "select s.name, s.dur > 0 from slice s join process_track k on s.track_id = k.id"
                    + " where s.name like 'shop.%'"))
        .containsExactly("shop.delivery | 1");
  }

  @Test
  void whatAnApplicationHasWritten() throws Exception {
    try (ConfigurableApplicationContext application = application()) {
      checkOut(application);
    }
    assertThat(files()).hasSize(1);
    assertSpans(files().get(0));
  }

  @Test
  void whatTheFlightRecorderOfAnApplicationHasDumped() throws Exception {
    Path dumped;
    try (ConfigurableApplicationContext application = application("tracer.keep-last=30s")) {
      checkOut(application);
      dumped = application.getBean(Tracer.class).dump("a customer has called").file();
    }
    assertSpans(dumped);
  }
}
