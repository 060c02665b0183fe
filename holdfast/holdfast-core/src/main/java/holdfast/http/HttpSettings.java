package holdfast.http;

import holdfast.problems.Problems;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Set;

/** Checks the settings that HTTP clients have in common. Stateless. */
public final class HttpSettings {
  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);
  private static final int LAST_PORT = 65_535;

  private HttpSettings() {}

  /**
   * Adds what is wrong with an address: its scheme, a user, query or fragment, which may be a
   * secret and is not quoted, or its host and port.
   *
   * @param problems what is wrong so far
   * @param setting the setting's name
   * @param address the address
   * @param secrets the settings for what must not be in an address, for the message
   */
  public static void checkAddress(Problems problems, String setting, URI address, String secrets) {
    if (!SCHEMES.contains(String.valueOf(address.getScheme()))) {
      problems.require(false, setting, "begin with http: or https:", address);
    } else if (address.getRawUserInfo() != null
        || address.getRawQuery() != null
        || address.getRawFragment() != null) {
      problems.add(
          "%s must have no user, query or fragment but has %s; use %s"
              .formatted(setting, unwantedPart(address), secrets));
    } else {
      boolean somewhere = address.getHost() != null && address.getPort() <= LAST_PORT;
      problems.require(somewhere, setting, "have a host, and no port above 65535,", address);
    }
  }

  private static String unwantedPart(URI address) {
    if (address.getRawUserInfo() != null) {
      return "a user";
    }
    return address.getRawQuery() != null ? "a query" : "a fragment";
  }

  /**
   * Adds that secrets would go to another machine by {@code http:}, where others can read them.
   *
   * @param problems what is wrong so far
   * @param setting the setting's name
   * @param address the address
   * @param secrets what would be sent, for the message
   * @param permission how to allow it, for the message
   */
  public static void checkClearText(
      Problems problems, String setting, URI address, String secrets, String permission) {
    String host = address.getHost();
    if ("http".equals(address.getScheme()) && host != null && !isThisMachine(host)) {
      String port = address.getPort() < 0 ? "" : ":" + address.getPort();
      problems.add(
          ("%s must begin with https: where %s to another machine but was http://%s%s; use an"
                  + " address that begins with https:, or allow clear text (%s)")
              .formatted(setting, secrets, host, port, permission));
    }
  }

  private static boolean isThisMachine(String host) {
    return host.equals("localhost") || host.matches("127(\\.\\d+){3}") || host.equals("[::1]");
  }

  /** Adds that a timeout is not above zero, or more than 365 days. */
  public static void checkTimeout(Problems problems, String setting, Duration timeout) {
    boolean sensible =
        timeout.compareTo(Duration.ZERO) > 0 && timeout.compareTo(LONGEST_TIMEOUT) <= 0;
    problems.require(sensible, setting, "be above zero, and 365 days at most,", timeout);
  }

  /** Returns whether a header may be sent, in the JDK's own opinion. */
  public static boolean isHeader(String name, String value) {
    try {
      HttpRequest.newBuilder().header(name, value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
