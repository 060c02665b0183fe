package chaos.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import chaos.Campaign;
import chaos.Fleet;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ordered events on three nodes that are killed, with listeners that fail: each aggregate in the
 * order of its commits, and one that is stuck delays no other.
 */
class OrderedCampaignTest {
  private static final int NODES = 3;
  private static final int STUCK = 7;

  @TempDir Path signals;

  private void play(int aggregates, int versions, int kills, Duration limit) throws Exception {
    Load load = Load.ordered(aggregates, versions).failing(5);
    Campaign.play(
        "three nodes, ordered",
        limit,
        campaign -> {
          try (Scene scene = Scene.open(campaign, load.stuck(STUCK), signals)) {
            Fleet fleet = scene.start(NODES);
            for (int kill = 1; kill <= kills; kill++) {
              scene.awaitCommitted(aggregates * versions * kill / (kills + 1));
              int place = campaign.between(0, NODES - 1);
              fleet.kill(place);
              fleet.restart(place);
            }
            scene.awaitPublished();
            scene.awaitDone("aggregate_id <> '" + STUCK + "'");
            scene.awaitDead(1);
            assertOthersComplete(
                new Order(History.of(fleet.lives()).deliveries().values()), aggregates, versions);
            mend(scene, fleet, load);
            History history = scene.finish();
            assertThat(history.unknown()).isZero();
            Order order = new Order(history.deliveries().values());
            assertThat(order.early()).isEmpty();
            assertThat(order.delivered(STUCK)).isEqualTo(versions);
            System.out.println("three nodes, ordered: " + scene.figures(history));
          }
        });
  }

  private static void assertOthersComplete(Order order, int aggregates, int versions) {
    assertThat(order.early()).isEmpty();
    for (int aggregate = 0; aggregate < aggregates; aggregate++) {
      assertThat(order.delivered(aggregate))
          .as("delivered of aggregate %d while %d is stuck", aggregate, STUCK)
          .isEqualTo(aggregate == STUCK ? 0 : versions);
    }
    assertThat(order.tried(STUCK)).as("only the first of the stuck ones is tried").isOne();
  }

  /** The nodes come back with a listener that is stuck no more, and the dead head is replayed. */
  private static void mend(Scene scene, Fleet fleet, Load load) throws Exception {
    scene.load(load);
    fleet.restartAll();
    assertThat(scene.replayDead()).isOne();
    scene.awaitPublished();
  }

  @Test
  void inTheOrderOfCommitsAndAStuckOneDelaysNoOther() throws Exception {
    play(20, 20, 1, Duration.ofMinutes(2));
  }

  @Test
  @Tag("long")
  void manyInTheOrderOfCommits() throws Exception {
    play(200, 200, 40, Duration.ofMinutes(30));
  }
}
