package chaos;

import holdfast.testkit.process.ChildJvm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The nodes of a campaign, each a process of its own, to be killed and started again. A node says
 * {@link #READY} when it is, and ends with exit code 0 when it is told to leave. Confined to one
 * thread.
 */
public final class Fleet implements AutoCloseable {
  /** What a node acknowledges once it works. */
  public static final String READY = "ready";

  private static final Duration START_PATIENCE = Duration.ofSeconds(90);
  private static final int KILLED = 137;

  /** Starts the process of a node. */
  public interface Launch {
    ChildJvm start(int place, String name);
  }

  private final Launch launch;
  private final List<Life> lives = new ArrayList<>();
  private final List<Life> now = new ArrayList<>();

  private Fleet(Launch launch) {
    this.launch = launch;
  }

  /** Starts all nodes and waits until they are ready. */
  public static Fleet of(int nodes, Launch launch) throws InterruptedException {
    Fleet fleet = new Fleet(launch);
    try {
      for (int place = 0; place < nodes; place++) {
        fleet.now.add(fleet.launched(place));
      }
      fleet.awaitReady();
      return fleet;
    } catch (InterruptedException | RuntimeException | AssertionError e) {
      fleet.close();
      throw e;
    }
  }

  private Life launched(int place) {
    String name = "node-" + place + "-life-" + (lives.size() + 1);
    Life life = new Life(name, place, launch.start(place, name));
    lives.add(life);
    return life;
  }

  private static void awaitReady(Life life) throws InterruptedException {
    life.process().awaitLine(READY::equals, START_PATIENCE);
  }

  /** Waits until all nodes are ready. */
  public void awaitReady() throws InterruptedException {
    for (Life life : now) {
      awaitReady(life);
    }
  }

  /** The places of the nodes that are ready. */
  public List<Integer> ready() {
    return now.stream()
        .filter(life -> life.killed() == null && life.lines().contains(READY))
        .map(Life::place)
        .toList();
  }

  /** Waits until a node has acknowledged so many lines more. */
  public void awaitMore(int place, int lines, Duration patience) throws InterruptedException {
    ChildJvm process = now.get(place).process();
    process.awaitLines(process.lines().size() + lines, patience);
  }

  /** Kills a node as {@code kill -9} does. */
  public void kill(int place) throws InterruptedException {
    Life life = now.get(place);
    Instant before = TimeSource.system().instant();
    int exitCode = life.process().kill();
    life.killedWithin(new Span(before, TimeSource.system().instant()));
    if (exitCode != KILLED) {
      throw new AssertionError(
          "%s must run until it is killed but ended with exit code %d:%n%s"
              .formatted(life.name(), exitCode, life.process().errors()));
    }
  }

  /** Starts a killed node again and waits until it is ready. */
  public void restart(int place) throws InterruptedException {
    launch(place);
    awaitReady(now.get(place));
  }

  /** Starts a killed node again and waits for nothing. */
  public void launch(int place) {
    now.set(place, launched(place));
  }

  /** Kills all nodes and starts them again. */
  public void restartAll() throws InterruptedException {
    for (int place = 0; place < now.size(); place++) {
      kill(place);
    }
    for (int place = 0; place < now.size(); place++) {
      launch(place);
    }
    awaitReady();
  }

  /** The lives of now. */
  public List<Life> living() {
    return List.copyOf(now);
  }

  /** All lives there were. */
  public List<Life> lives() {
    return List.copyOf(lives);
  }

  /** How many lives a kill has ended. */
  public int kills() {
    return (int) lives.stream().filter(life -> life.killed() != null).count();
  }

  /** Waits until all nodes, told to leave, have left in good order. */
  public void awaitLeft(Duration patience) throws InterruptedException {
    for (Life life : now) {
      int exitCode = life.process().awaitExit(patience);
      if (exitCode != 0) {
        throw new AssertionError(
            "%s must leave with exit code 0 but had %d:%n%s"
                .formatted(life.name(), exitCode, life.process().errors()));
      }
    }
  }

  /** Kills what still runs. */
  @Override
  public void close() {
    lives.forEach(life -> life.process().close());
  }
}
