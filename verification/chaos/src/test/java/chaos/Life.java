package chaos;

import holdfast.testkit.process.ChildJvm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One life of a node: a process from its start to its end, with a name of its own. Safe for use by
 * many threads.
 */
public final class Life {
  private final String name;
  private final int place;
  private final ChildJvm process;
  private volatile @Nullable Span killed;

  Life(String name, int place, ChildJvm process) {
    this.name = name;
    this.place = place;
    this.process = process;
  }

  /** The name, which no other life has. */
  public String name() {
    return name;
  }

  /** Which of the nodes it is. */
  public int place() {
    return place;
  }

  /** When it was killed; null if it was not. */
  public @Nullable Span killed() {
    return killed;
  }

  void killedWithin(Span when) {
    killed = when;
  }

  ChildJvm process() {
    return process;
  }

  /** Everything it has acknowledged; a kill takes none of it back. */
  public List<String> lines() {
    return process.lines();
  }
}
