package benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Processor time of this JVM and of the database server, which says more than the clock on a
 * machine that does other things too. Linux only, read from {@code /proc}. Immutable.
 */
final class CpuTime {
  private static final long NANOS_PER_TICK = 10_000_000L;
  private static final int PARENT = 1;
  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final int USER_OF_ENDED_CHILDREN = 13;
  private static final int SYSTEM_OF_ENDED_CHILDREN = 14;

  private final String server;

  private CpuTime(String server) {
    this.server = server;
  }

  /** Of this JVM and the server that the data source leads to. */
  static CpuTime of(DataSource dataSource) throws SQLException {
    try (Connection conn = dataSource.getConnection();
        Statement statement = conn.createStatement();
        ResultSet pid = statement.executeQuery("SELECT pg_backend_pid()")) {
      pid.next();
      String[] backend = stat(Path.of("/proc", pid.getString(1)));
      return new CpuTime(backend.length == 0 ? "" : backend[PARENT]);
    }
  }

  /** Nanoseconds of processor time of this JVM. */
  long ofClient() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Nanoseconds of processor time of the server and all its processes, the ended ones too. */
  long ofServer() {
    long ticks = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        String[] stat = stat(process);
        if (stat.length > 0 && process.getFileName().toString().equals(server)) {
          ticks += number(stat, USER_OF_ENDED_CHILDREN) + number(stat, SYSTEM_OF_ENDED_CHILDREN);
        } else if (stat.length > 0 && stat[PARENT].equals(server)) {
          ticks += number(stat, USER) + number(stat, SYSTEM);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ticks * NANOS_PER_TICK;
  }

  private static long number(String[] stat, int index) {
    return Long.parseLong(stat[index]);
  }

  /** The fields after the command's name, which may hold spaces; none if the process has ended. */
  private static String[] stat(Path process) {
    try {
      String line = Files.readString(process.resolve("stat"));
      return line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    } catch (NoSuchFileException e) {
      return new String[0];
    } catch (IOException e) {
      return new String[0]; // Ended while it was read.
    }
  }
}
