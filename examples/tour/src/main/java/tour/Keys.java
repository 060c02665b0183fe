package tour;

import java.io.IOException;
import java.io.InputStream;

/** Breaks and mends each part by hand. For one thread. */
final class Keys {
  private static final String HELP =
      "Keys: p price service, l Event Log API, m mail service, w worker, q quit";

  private final World world;
  private final View view;
  private final Status status;
  private boolean apiBroken;
  private boolean workerDead;

  Keys(World world, View view, Status status) {
    this.world = world;
    this.view = view;
    this.status = status;
  }

  /** Does what it is told until it is told to quit; leaves everything mended. */
  void obey(InputStream in) throws IOException {
    view.help(HELP);
    int key = in.read();
    while (key >= 0 && key != 'q') {
      press(key);
      key = in.read();
    }
    mendAll();
  }

  private void press(int key) throws IOException {
    switch (key) {
      case 'p' -> price(world.priceService.isAlive());
      case 'l' -> api(!apiBroken);
      case 'm' -> mail(!world.mails.isStalled());
      case 'w' -> worker(!workerDead);
      default -> {} // such as Enter, where a key needs one
    }
  }

  private void price(boolean broken) {
    if (broken) {
      world.priceService.die();
    } else {
      world.priceService.comeBack();
    }
    view.say(broken ? "The price service dies." : "The price service is back.");
  }

  private void api(boolean broken) {
    apiBroken = broken;
    world.breakApi(broken);
    view.say(broken ? "The Event Log API dies." : "The Event Log API is back.");
  }

  private void mail(boolean broken) {
    if (broken) {
      world.mails.stall();
    } else {
      world.mails.goOn();
    }
    view.say(broken ? "The mail service stalls." : "The mail service goes on.");
  }

  private void worker(boolean dead) throws IOException {
    workerDead = dead;
    if (dead) {
      world.killWorker();
    } else {
      world.replaceWorker();
    }
    status.worker(dead);
    view.say(dead ? "The worker is killed." : "A new worker has started.");
  }

  private void mendAll() throws IOException {
    if (!world.priceService.isAlive()) {
      price(false);
    }
    if (apiBroken) {
      api(false);
    }
    if (world.mails.isStalled()) {
      mail(false);
    }
    if (workerDead) {
      worker(false);
    }
  }
}
