package tour;

import holdfast.ledger.Books;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import tracer.perfetto.TraceReader;

/**
 * The books of every room at the end, and one of the whole story, which asks those who should have
 * received something instead of those who have sent it. Confined to one thread.
 */
final class Audit {
  private final List<Books> books = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();
  private final World world;
  private final Orders.Standing standing;
  private final Map<String, Integer> copies;

  /** Looks at a world that is stopped. */
  Audit(World world, long confirmed) throws SQLException, IOException {
    this.world = world;
    this.standing = world.orders.standing();
    this.copies = world.api.copies();
    books.add(story(confirmed));
    books.add(world.outbox.books());
    books.add(world.bus.ledger());
    books.add(world.logger.books());
    books.add(world.failovers.books());
    books.add(world.tracer.ledger());
    for (Books each : books) {
      expect(each.isBalanced(), "the books of " + each.room() + " must balance");
      expect(each.held() == 0, "nothing may be left in " + each.room());
    }
    Books log = world.logger.books();
    expect(copies.size() == log.delivered(), "the API must have what the event log delivered");
    expect(log.lost() == 0, "the event log may lose nothing");
    expect(
        world.bus.ledger().accepted() == standing.placed(), "each order must be on the bus once");
    expect(traced() == world.tracer.ledger().delivered(), "the trace must hold what was delivered");
  }

  /** Orders that were confirmed to customers; delivered if they have a price and a mail. */
  private Books story(long confirmed) throws SQLException {
    expect(confirmed == standing.placed(), "each confirmed order must be in the table");
    long complete = world.orders.priced().stream().filter(world.mails::has).count();
    return new Books("orders", confirmed, 0, complete, Map.of(), Map.of());
  }

  private long traced() throws IOException {
    AtomicLong events = new AtomicLong();
    try (Stream<Path> files = Files.list(world.directory.resolve("trace"))) {
      for (Path file : files.sorted().toList()) {
        TraceReader.read(
            file,
            entry -> {
              if (!entry.isLoss()) {
                events.incrementAndGet();
              }
            });
      }
    }
    return events.get();
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
    StringBuilder text = new StringBuilder(Books.table(books));
    text.append(
        """

        Done more than once: %d of %d prices, %d mails, %d events at the API.
        Priced by stored answers: %d of %d orders, the oldest answer was %.1f s old.
        Failover's book is that of this process; the killed worker took its own along.
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
    return text.append(holds() ? "Every book balances. Nothing that was promised is lost.\n" : "")
        .toString();
  }
}
