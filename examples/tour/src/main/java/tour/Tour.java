package tour;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * One story through all libraries; ends with exit code 0 only if every ledger balances. For one
 * thread.
 */
public final class Tour {
  private static final Duration BETWEEN_ORDERS = Duration.ofMillis(20);

  private static final String ENDED_BY_HAND =
      "Ended by hand, without a ledger. With --stay, q ends with one.";

  private final Options options;
  private final PrintStream out;

  private Tour(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /**
   * Tells the story.
   *
   * @param args see {@link Options}
   */
  public static void main(String... args) throws Exception {
    Options options;
    try {
      options = Options.of(List.of(args));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(new Tour(options, System.out).run() ? 0 : 1);
  }

  private boolean run() throws Exception {
    quietLogs();
    Path directory = Files.createTempDirectory("holdfast-tour");
    Thread interrupted = new Thread(() -> out.println(System.lineSeparator() + ENDED_BY_HAND));
    Runtime.getRuntime().addShutdownHook(interrupted);
    try (World world = new World(options, directory)) {
      Audit audit = tell(world);
      out.println();
      out.print(audit.text());
      if (options.sabotage()) {
        out.println("This was the sabotage: one order without its event, and the ledger show it.");
      }
      out.println("The trace opens in https://ui.perfetto.dev: " + directory.resolve("trace"));
      Runtime.getRuntime().removeShutdownHook(interrupted);
      return audit.holds();
    }
  }

  private Audit tell(World world) throws Exception {
    Status status = new Status(world);
    String title = "Holdfast: five libraries, one outage, on " + world.database.name();
    Customers customers = new Customers(world.shop.uri(), BETWEEN_ORDERS);
    View view = new View(out, Boolean.getBoolean("tour.live"), title, status);
    Script script = new Script(world, view, status, options.fast());
    script.run();
    if (options.stay()) {
      new Keys(world, view, status).obey(System.in);
    }
    customers.goHome();
    script.drain();
    world.stop();
    view.end();
    return new Audit(world, customers.placed());
  }

  /** The story tells what the libraries would warn of. */
  private static void quietLogs() {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
  }
}
