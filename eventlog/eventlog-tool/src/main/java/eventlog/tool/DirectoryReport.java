package eventlog.tool;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is in one directory.
 *
 * @param directory the directory
 * @param usedBy what the process that uses it says of itself; null if nobody does
 * @param active the file that is appended to; null if there is none
 * @param replay the file that is being sent; null if there is none
 * @param quarantine what was set aside; null if nothing was
 */
record DirectoryReport(
    String directory,
    @Nullable String usedBy,
    @Nullable Events active,
    @Nullable Events replay,
    @Nullable SetAside quarantine) {

  /**
   * All directories.
   *
   * @param directories the one that was asked for, then those of processes that shared it
   */
  record Whole(List<DirectoryReport> directories) {
    private static final JsonMapper JSON =
        JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    String toJson() {
      return JSON.writeValueAsString(this);
    }
  }

  /**
   * A file of events.
   *
   * @param bytes its size
   * @param events events not yet sent
   * @param sent lines that are sent already, by the side-car
   * @param sentBytes the bytes of those
   * @param oldest when the first of the events not yet sent happened
   * @param newest when the last of them did
   * @param badLines lines not yet sent that are no events
   * @param badLinesBy the same by what is wrong with them
   * @param examples the first of them
   */
  record Events(
      long bytes,
      long events,
      long sent,
      long sentBytes,
      @Nullable Instant oldest,
      @Nullable Instant newest,
      long badLines,
      Map<String, Long> badLinesBy,
      List<BadLine> examples) {}

  /**
   * A line that is no event.
   *
   * @param line its number, from 1
   * @param problem what is wrong with it
   */
  record BadLine(long line, String problem) {}

  /**
   * The quarantine.
   *
   * @param bytes its size
   * @param lines how many lines
   * @param linesBy the same by reason
   * @param oldest when the first was set aside
   * @param newest when the last was
   */
  record SetAside(
      long bytes,
      long lines,
      Map<String, Long> linesBy,
      @Nullable Instant oldest,
      @Nullable Instant newest) {}
}
