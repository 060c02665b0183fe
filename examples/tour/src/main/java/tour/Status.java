package tour;

import holdfast.ledger.LedgerSnapshot;
import java.util.List;
import java.util.Locale;

/** How the libraries stand at this moment, a line each. Safe for use by many threads. */
final class Status {
  private final World world;
  private volatile boolean workerDead;

  Status(World world) {
    this.world = world;
  }

  void worker(boolean dead) {
    workerDead = dead;
  }

  List<String> lines() {
    return List.of(
        line(
            world.outbox.ledger(),
            note(world.mails.isStalled(), "the mail service stalls: backing off")),
        line(world.bus.ledger(), note(workerDead, "a worker is dead: its claims run out")),
        line(world.logger.ledger(), spilled()),
        line(world.failovers.ledger(), note(!world.priceService.isAlive(), stale())),
        line(world.tracer.ledger(), ""));
  }

  /** The same in one line. */
  String shortLine() {
    return String.format(
        Locale.ROOT,
        "   outbox held %d · bus held %d · log on disk %d · %s · traced %,d",
        world.outbox.ledger().held(),
        world.bus.ledger().held(),
        onDisk(),
        stale(),
        world.tracer.ledger().accepted());
  }

  private String stale() {
    long stale =
        world.failovers.counts().values().stream().mapToLong(counts -> counts.recovered()).sum();
    double oldest = world.oldestStale().toMillis() / 1e3;
    return String.format(Locale.ROOT, "stale prices here %d (oldest %.1f s)", stale, oldest);
  }

  private long onDisk() {
    return world.logger.ledger().heldByPlace().getOrDefault("disk", 0L);
  }

  private String spilled() {
    long events = onDisk();
    return events == 0 ? "" : events + " events on disk";
  }

  private static String note(boolean when, String text) {
    return when ? text : "";
  }

  private static String line(LedgerSnapshot ledger, String note) {
    return String.format(
        Locale.ROOT,
        "%-9s accepted %,9d   delivered %,9d   held %,6d   lost %d   %s",
        ledger.library(),
        ledger.accepted() + ledger.recoveredAtStartup(),
        ledger.delivered(),
        ledger.held(),
        ledger.lost(),
        note);
  }
}
