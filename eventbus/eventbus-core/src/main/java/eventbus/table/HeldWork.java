package eventbus.table;

import java.sql.SQLException;

/** What is done with events that are held, in one transaction. */
@FunctionalInterface
public interface HeldWork {

  /** Does it. */
  void with(Held held) throws SQLException;
}
