package tour;

import holdfast.ledger.LedgerSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import tracer.perfetto.TraceEntry;
import tracer.perfetto.TraceReader;
import tracer.sink.TracePhase;

/**
 * The ledger of every library at the end, and one of the whole story, which asks those who should
 * have received something instead of those who have sent it. Confined to one thread.
 */
final class Audit {
  private final List<LedgerSnapshot> ledgers = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();
  private final World world;
  private final Orders.Standing standing;
  private final Map<String, Integer> copies;

  /** Looks at a world that is stopped. */
  Audit(World world, long confirmed) throws SQLException, IOException {
    this.world = world;
    this.standing = world.orders.standing();
    this.copies = world.api.copies();
    ledgers.add(story(confirmed));
    ledgers.add(world.outbox.ledger());
    ledgers.add(world.bus.ledger());
    ledgers.add(world.logger.ledger());
    ledgers.add(world.failovers.ledger());
    ledgers.add(world.tracer.ledger());
    for (LedgerSnapshot each : ledgers) {
      expect(each.isAccountedFor(), "every event of " + each.library() + " must be accounted for");
      expect(each.held() == 0, "nothing may be left in " + each.library());
    }
    LedgerSnapshot log = world.logger.ledger();
    expect(copies.size() == log.delivered(), "the API must have what the event log delivered");
    expect(log.lost() == 0, "the event log may lose nothing");
    expect(
        world.bus.ledger().accepted() == standing.placed(), "each order must be on the bus once");
    expect(traced() == world.tracer.ledger().delivered(), "the trace must hold what was delivered");
  }

  /** Orders that were confirmed to customers; delivered if they have a price and a mail. */
  private LedgerSnapshot story(long confirmed) throws SQLException {
    expect(confirmed == standing.placed(), "each confirmed order must be in the table");
    long complete = world.orders.priced().stream().filter(world.mails::has).count();
    return new LedgerSnapshot("orders", confirmed, 0, complete, Map.of(), Map.of(), 0);
  }

  private long traced() throws IOException {
    AtomicLong events = new AtomicLong();
    try (Stream<Path> files = Files.list(world.directory.resolve("trace"))) {
      for (Path file : files.sorted().toList()) {
        TraceReader.read(
            file,
            entry -> {
              if (!entry.isLoss()) {
                events.addAndGet(recorded(entry));
              }
            });
      }
    }
    return events.get();
  }

  /** A flow that passes through the begin or the end of a span was recorded by itself. */
  private static int recorded(TraceEntry entry) {
    boolean isSpan = entry.phase() == TracePhase.BEGIN || entry.phase() == TracePhase.END;
    boolean hasFlow = entry.values().containsKey("flow") || entry.values().containsKey("endFlow");
    return isSpan && hasFlow ? 2 : 1;
  }

  private void expect(boolean holds, String what) {
    if (!holds) {
      findings.add(what);
    }
  }

  boolean holds() {
    return findings.isEmpty();
  }

  /** What there is to say, for people. */
  String text() {
    long repeatedEvents = copies.values().stream().mapToLong(count -> count - 1).sum();
    StringBuilder text = new StringBuilder(LedgerSnapshot.table(ledgers));
    text.append(
        """

        Done more than once: %d of %d prices, %d mails, %d events at the API.
        Priced by stored answers: %d of %d orders, the oldest answer was %.1f s old.
        Failover counts are per process; those of the killed worker are lost with it.
        """
            .formatted(
                standing.repeats(),
                standing.priced(),
                world.mails.repeats(),
                repeatedEvents,
                standing.stale(),
                standing.priced(),
                world.oldestStale().toMillis() / 1e3));
    findings.forEach(finding -> text.append("NOT SO: ").append(finding).append('\n'));
    return text.append(
            holds() ? "Every event is accounted for. Nothing that was promised is lost.\n" : "")
        .toString();
  }
}
