package chaos.eventbus;

import java.time.Instant;

/**
 * One run of a handler, as it was acknowledged when it began.
 *
 * @param eventId the event
 * @param attempts the number of the acquisition it belongs to
 * @param node the life of the node that ran it
 * @param at when it began
 */
record Run(long eventId, int attempts, String node, Instant at) {
  static final String WORD = "ran";

  String toLine() {
    return String.join(
        " ", WORD, Long.toString(eventId), Integer.toString(attempts), at.toString());
  }

  static boolean isOne(String line) {
    return line.startsWith(WORD + " ");
  }

  static Run parse(String node, String line) {
    String[] words = line.split(" ", -1);
    return new Run(
        Long.parseLong(words[1]), Integer.parseInt(words[2]), node, Instant.parse(words[3]));
  }
}
