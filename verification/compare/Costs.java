import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/** What a measurement costs from the moment that {@link #begin} is called last. Linux only. */
final class Costs {
  private final LongAdder statements = new LongAdder();
  private final DataSource server;
  private long client;
  private long ticks;
  private long wal;
  private long statementsBefore;

  /** A figure, and what it cost for each event. */
  record Result(double value, double client, double server, double wal, double statements) {}

  Costs(DataSource server) {
    this.server = server;
  }

  void countStatement() {
    statements.increment();
  }

  void begin() throws SQLException, IOException {
    client = clientNanos();
    ticks = serverTicks();
    wal = wal();
    statementsBefore = statements.sum();
  }

  Result end(double value, double events) throws SQLException, IOException {
    return new Result(
        value,
        (clientNanos() - client) / 1e3 / events,
        (serverTicks() - ticks) * 1e4 / events,
        (wal() - wal) / events,
        (statements.sum() - statementsBefore) / events);
  }

  private static long clientNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private long wal() throws SQLException {
    try (Connection conn = server.getConnection();
        Statement statement = conn.createStatement();
        ResultSet lsn =
            statement.executeQuery("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
      lsn.next();
      return lsn.getBigDecimal(1).longValue();
    }
  }

  /** Hundredths of seconds of all processes of the server, also of those that have ended. */
  private long serverTicks() throws SQLException, IOException {
    String parent;
    try (Connection conn = server.getConnection();
        Statement statement = conn.createStatement();
        ResultSet pid = statement.executeQuery("SELECT pg_backend_pid()")) {
      pid.next();
      parent = stat(Path.of("/proc", pid.getString(1)))[1];
    }
    long ticks = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        String[] stat = stat(process);
        if (process.getFileName().toString().equals(parent)) {
          ticks += Long.parseLong(stat[13]) + Long.parseLong(stat[14]);
        } else if (stat[1].equals(parent)) {
          ticks += Long.parseLong(stat[11]) + Long.parseLong(stat[12]);
        }
      }
    }
    return ticks;
  }

  private static String[] stat(Path process) {
    try {
      String line = Files.readString(process.resolve("stat"));
      return line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    } catch (IOException ended) {
      String[] none = new String[20];
      Arrays.fill(none, "0");
      return none;
    }
  }
}
