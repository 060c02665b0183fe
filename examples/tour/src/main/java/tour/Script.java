package tour;

import holdfast.ledger.LedgerSnapshot;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The story: everything breaks, one after the other, and comes back. For one thread. */
final class Script {
  private static final Duration LOOK = Duration.ofMillis(5);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private static final int ENOUGH = 20;

  private final World world;
  private final View view;
  private final Status status;
  private final double speed;

  Script(World world, View view, Status status, boolean fast) {
    this.world = world;
    this.view = view;
    this.status = status;
    this.speed = fast ? 4.5 : 1;
  }

  void run() throws IOException, SQLException, InterruptedException {
    view.say("Orders come in, are announced by mail, priced and logged.");
    pause(8);
    await(() -> world.orders.standing().priced() >= ENOUGH); // each item has a price by then
    world.priceService.die();
    view.say("The price service dies. FAILOVER gives the last good prices, and says their age.");
    pause(8);
    world.breakApi(true);
    view.say("The Event Log API dies too. EVENTLOG writes to disk, and nobody waits.");
    pause(8);
    world.mails.stall();
    view.say("The mail service stalls. OUTBOX keeps the events, and tries less and less often.");
    pause(8);
    killWorker();
    pause(4);
    recover();
    pause(8);
  }

  /** In the middle of its work; goes on when others have taken its work over. */
  private void killWorker() throws SQLException, InterruptedException {
    await(() -> world.inHandOfWorker() > 0);
    world.killWorker();
    status.worker(true);
    view.say(
        "The worker process %d is killed (kill -9); orders in its hands: %d."
            .formatted(world.workerPid(), world.inHandOfWorker()));
    await(() -> world.inHandOfWorker() == 0);
    view.say("Its claims have run out: EVENTBUS gave them to the worker that lives.");
  }

  private void recover() throws IOException {
    world.priceService.comeBack();
    world.breakApi(false);
    world.mails.goOn();
    view.say("Everything returns: retries, replay, live prices, a new worker.");
    world.replaceWorker();
    status.worker(false);
  }

  /** Waits until nothing is under way; what is left after a while is for the ledger to tell. */
  void drain() throws SQLException, InterruptedException {
    await(() -> !isUnderWay());
    view.say("The shop is closed, and everything is done.");
  }

  private interface Question {
    boolean isSo() throws SQLException;
  }

  private static void await(Question question) throws SQLException, InterruptedException {
    long startedAt = System.nanoTime();
    while (!question.isSo() && System.nanoTime() - startedAt < LONGEST_WAIT.toNanos()) {
      TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
    }
  }

  private boolean isUnderWay() {
    return world.outbox.ledger().held() > 0
        || world.bus.ledger().held() > 0
        || isUnderWay(world.logger.ledger());
  }

  /** In memory an event may be between two places while they are counted. */
  private static boolean isUnderWay(LedgerSnapshot ledger) {
    return ledger.held() > 0 || !ledger.isAccountedFor();
  }

  private void pause(double seconds) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep((long) (seconds * 1e3 / speed));
  }
}
