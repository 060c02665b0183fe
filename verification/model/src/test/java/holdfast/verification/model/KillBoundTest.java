package holdfast.verification.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The most JVMs that one event can kill: one as an ordinary event, one in each group of two or more
 * and one for each lapse. A group is at most half as large as the one before, so there are at most
 * log2 of the workers, rounded down, of two or more.
 */
class KillBoundTest {

  @ParameterizedTest
  @CsvSource({"1, 10", "2, 2", "3, 2", "4, 2", "7, 3", "8, 10", "9, 10", "16, 1", "64, 10"})
  void anEventKillsAtMostThatOften(int workers, int maxLapses) {
    int floorOfLog2 = 31 - Integer.numberOfLeadingZeros(workers);

    assertThat(1 + worst(0, workers, maxLapses)).isEqualTo(1 + floorOfLog2 + maxLapses);
  }

  /** The most kills of a suspect, on nodes with any number of workers up to the given one. */
  private static int worst(int lastGroup, int workers, int lapsesLeft) {
    int most = 0;
    int largest = SuspectGroups.limit(lastGroup, workers, true);
    for (int group = 1; group <= largest && lapsesLeft > 0; group++) {
      int lapses = group == 1 ? 1 : 0;
      most = Math.max(most, 1 + worst(group, workers, lapsesLeft - lapses));
    }
    return most;
  }
}
