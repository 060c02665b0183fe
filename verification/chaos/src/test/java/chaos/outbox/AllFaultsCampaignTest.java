package chaos.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import chaos.Campaign;
import chaos.Fleet;
import chaos.Vandal;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything at once: one of two nodes is killed again and again, the connections of both are cut,
 * some lines are down or silent for longer than a lease, and listeners fail.
 */
class AllFaultsCampaignTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LONGER_THAN_A_LEASE =
      NodeSettings.LEASE.plus(Duration.ofSeconds(1));

  @TempDir Path signals;

  private void play(int kills, Duration limit) throws Exception {
    Campaign.play(
        "two nodes, kills, cuts and failures",
        limit,
        campaign -> {
          try (Scene scene = Scene.open(campaign, Load.untilStopped().failing(10), signals)) {
            Fleet fleet = scene.start(2);
            try (Vandal vandal =
                Vandal.on(
                    scene.lines(), campaign.chance(), Duration.ofSeconds(1), LONGER_THAN_A_LEASE)) {
              vandal.start();
              for (int kill = 0; kill < kills; kill++) {
                fleet.awaitMore(1, campaign.between(50, 600), PATIENCE);
                fleet.kill(1);
                scene.lines().get(1).spare(() -> fleet.restart(1));
              }
              scene.awaitBroken(kills + 3);
            }
            scene.stopPublishing();
            History history = scene.finish();
            assertThat(fleet.kills()).isEqualTo(kills);
            assertThat(history.failed()).isPositive();
            System.out.println("two nodes, kills, cuts and failures: " + scene.figures(history));
          }
        });
  }

  @Test
  void nothingIsLostAndEveryRepeatHasItsReason() throws Exception {
    play(2, Duration.ofMinutes(2));
  }

  @Test
  @Tag("long")
  void nothingIsLostInManyFaults() throws Exception {
    play(60, Duration.ofMinutes(30));
  }
}
