package holdfast.jdbc;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a database server, as far as capabilities depend on it. Immutable. */
record ServerVersion(int major, int minor, int patch) implements Comparable<ServerVersion> {

  /** Stands for a server of which nothing is known but that it is recent. */
  static final ServerVersion NEWEST = new ServerVersion(Integer.MAX_VALUE, 0, 0);

  private static final Comparator<ServerVersion> ORDER =
      Comparator.comparingInt(ServerVersion::major)
          .thenComparingInt(ServerVersion::minor)
          .thenComparingInt(ServerVersion::patch);

  // MariaDB puts 5.5.5 before its own version for the sake of old replication clients.
  private static final Pattern VERSION =
      Pattern.compile("^(?:5\\.5\\.5-(?=\\d))?\\D*(\\d{1,9})(?:\\.(\\d{1,9}))?(?:\\.(\\d{1,9}))?");

  /** The version that a product version text begins with; parts it does not give are 0. */
  static ServerVersion parse(String productVersion) {
    Matcher found = VERSION.matcher(productVersion);
    return found.find()
        ? new ServerVersion(part(found, 1), part(found, 2), part(found, 3))
        : new ServerVersion(0, 0, 0);
  }

  private static int part(Matcher found, int group) {
    String digits = found.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  boolean isAtLeast(ServerVersion other) {
    return compareTo(other) >= 0;
  }

  @Override
  public int compareTo(ServerVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return equals(NEWEST) ? "newest" : major + "." + minor + "." + patch;
  }
}
