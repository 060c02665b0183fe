package holdfast.jdbc;

import java.sql.SQLException;
import javax.sql.DataSource;

/** What a node does when it starts: create its table if it is missing. Stateless. */
public final class NodeTask {

  private NodeTask() {}

  public static void create(DataSource dataSource, String table) throws SQLException {
    SchemaScript.load(NodeTask.class, "holdfast/jdbc/schema", Dialect.of(dataSource))
        .with("letters", TableName.of(table))
        .createIfMissing(dataSource);
  }
}
