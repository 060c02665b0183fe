package chaos.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import chaos.Campaign;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes that nothing happens to deliver each event once. */
class UndisturbedCampaignTest {
  @TempDir Path signals;

  private void play(int events, Duration limit) throws Exception {
    Campaign.play(
        "two nodes, no faults",
        limit,
        campaign -> {
          try (Scene scene = Scene.open(campaign, Load.share(events / 2), signals)) {
            scene.start(2);
            scene.awaitPublished();
            History history = scene.finish();
            assertThat(history.unknown()).isZero();
            assertThat(history.deliveries().size()).isGreaterThanOrEqualTo(events);
            assertThat(history.count()).isEqualTo(history.deliveries().size());
            assertThat(scene.changes()).noneMatch(Change::isTakeover);
            System.out.println("two nodes, no faults: " + scene.figures(history));
          }
        });
  }

  @Test
  void eachEventIsDeliveredOnce() throws Exception {
    play(5_000, Duration.ofMinutes(2));
  }

  @Test
  @Tag("long")
  void eachOfManyEventsIsDeliveredOnce() throws Exception {
    play(50_000, Duration.ofMinutes(10));
  }
}
