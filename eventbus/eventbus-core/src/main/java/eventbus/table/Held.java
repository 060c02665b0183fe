package eventbus.table;

import eventbus.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** What a worker may do with the events it holds, within one transaction. Confined to it. */
public final class Held {
  private final Connection conn;
  private final EventTable table;

  Held(Connection conn, EventTable table) {
    this.conn = conn;
    this.table = table;
  }

  /** Closes events and returns those that were refused. */
  public List<Finish> finish(List<Finish> finishes) throws SQLException {
    return finishes.isEmpty() ? List.of() : FinishEvents.finish(conn, table, finishes).refused();
  }

  /** Lets an event wait for another try; whether it was held. */
  public boolean retry(Claim claim, Duration delay, Collection<String> done) throws SQLException {
    return HeldEvents.retry(conn, table, claim, delay, done);
  }

  /**
   * Gives back an event that some handlers are done with.
   *
   * @param uncounted whether its start was counted, as that of a suspect is, and is not to count
   * @return whether it was held
   */
  public boolean giveBack(Claim claim, Collection<String> done, boolean uncounted)
      throws SQLException {
    return HeldEvents.giveBack(conn, table, claim, done, uncounted);
  }

  /**
   * Gives events back unhandled.
   *
   * @param uncounted whether their start was counted, as that of a suspect is, and is not to count
   * @return how many were held
   */
  public int giveBack(Collection<Claim> claims, boolean uncounted) throws SQLException {
    return claims.isEmpty() ? 0 : HeldEvents.giveBack(conn, table, claims, uncounted);
  }
}
