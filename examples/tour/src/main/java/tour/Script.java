package tour;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The story: everything breaks, one after the other, and comes back. For one thread. */
final class Script {
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final Duration LONGEST_DRAIN = Duration.ofSeconds(60);

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

  void run() throws IOException, InterruptedException {
    view.say("Orders come in, are announced by mail, priced and logged.");
    pause(8);
    world.priceService.die();
    view.say("The price service dies. FAILOVER gives the last good prices, and says their age.");
    pause(8);
    world.breakApi(true);
    view.say("The Event Log API dies too. EVENTLOG writes to disk, and nobody waits.");
    pause(8);
    world.mails.stall();
    view.say("The mail service stalls. OUTBOX keeps the events, and tries less and less often.");
    pause(8);
    view.say("The worker process " + world.workerPid() + " is killed (kill -9).");
    world.killWorker();
    status.worker(true);
    pause(10);
    view.say("Its claims have run out. EVENTBUS gave its events to another worker.");
    recover();
    pause(8);
  }

  private void recover() throws IOException {
    world.priceService.comeBack();
    world.breakApi(false);
    world.mails.goOn();
    view.say("Everything returns: retries, replay, live prices, a new worker.");
    world.replaceWorker();
    status.worker(false);
  }

  /** Waits until nothing is under way; what is left after a while is for the books to tell. */
  void drain() throws InterruptedException {
    long startedAt = System.nanoTime();
    while (isUnderWay() && System.nanoTime() - startedAt < LONGEST_DRAIN.toNanos()) {
      TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
    }
    view.say("The shop is closed, and everything is done.");
  }

  private boolean isUnderWay() {
    return world.outbox.books().held() > 0
        || world.bus.ledger().held() > 0
        || world.logger.books().held() > 0;
  }

  private void pause(double seconds) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep((long) (seconds * 1e3 / speed));
  }
}
