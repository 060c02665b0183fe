package holdfast.work;

import holdfast.log.Outage;
import java.time.Duration;
import java.util.Set;

/** Other nodes as a test wants them. Not safe for use by several threads. */
final class TestNodes implements Nodes {
  boolean others;
  boolean left;
  int refreshed;

  @Override
  public void claiming(boolean claims) {}

  @Override
  public void leave() {
    left = true;
  }

  @Override
  public Duration refresh() {
    refreshed++;
    return Duration.ofSeconds(5);
  }

  @Override
  public boolean hasOthers() {
    return others;
  }

  @Override
  public Set<String> pausedTypes() {
    return Set.of();
  }

  @Override
  public void connect(Outage outage, Runnable onPauseChanged) {}
}
