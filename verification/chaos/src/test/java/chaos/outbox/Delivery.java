package chaos.outbox;

import java.time.Instant;

/**
 * One run of a listener, as it was acknowledged.
 *
 * @param node the life of the node that ran it
 * @param ok whether it succeeded
 * @param aggregate the event's aggregate, -1 if it has none
 * @param version the event's place in the commits of its aggregate, from 1
 */
record Delivery(
    String eventId,
    String node,
    Instant start,
    Instant end,
    boolean ok,
    int aggregate,
    int version) {
  static final String WORD = "delivered";

  String toLine() {
    return String.join(
        " ",
        WORD,
        eventId,
        start.toString(),
        end.toString(),
        Boolean.toString(ok),
        Integer.toString(aggregate),
        Integer.toString(version));
  }

  static Delivery parse(String node, String line) {
    String[] words = line.split(" ", -1);
    return new Delivery(
        words[1],
        node,
        Instant.parse(words[2]),
        Instant.parse(words[3]),
        Boolean.parseBoolean(words[4]),
        Integer.parseInt(words[5]),
        Integer.parseInt(words[6]));
  }
}
