package chaos.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import chaos.Campaign;
import chaos.Fleet;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of two nodes, one after the other is killed: nothing is lost, each repeat has its kill. */
class KillsCampaignTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path signals;

  private void play(int kills, Duration limit) throws Exception {
    Campaign.play(
        "two nodes, kills only",
        limit,
        campaign -> {
          try (Scene scene = Scene.open(campaign, Load.untilStopped(), signals)) {
            Fleet fleet = scene.start(2);
            for (int kill = 0; kill < kills; kill++) {
              int place = campaign.between(0, 1);
              fleet.awaitMore(place, campaign.between(20, 400), PATIENCE);
              fleet.kill(place);
              fleet.restart(place);
            }
            scene.stopPublishing();
            History history = scene.finish();
            assertThat(history.unknown()).isZero();
            assertThat(fleet.kills()).isEqualTo(kills);
            System.out.println("two nodes, kills only: " + scene.figures(history));
          }
        });
  }

  @Test
  void nothingIsLostAndEveryRepeatHasItsKill() throws Exception {
    play(5, Duration.ofMinutes(2));
  }

  @Test
  @Tag("long")
  void nothingIsLostInManyKills() throws Exception {
    play(200, Duration.ofMinutes(30));
  }
}
