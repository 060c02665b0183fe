package eventlog.tool;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Where the tool writes, and what its environment says.
 *
 * @param out for what was asked for
 * @param err for what is said meanwhile
 * @param environment the variables
 */
record Terminal(PrintWriter out, PrintWriter err, Map<String, String> environment) {

  static Terminal system() {
    return new Terminal(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        System.getenv());
  }
}
