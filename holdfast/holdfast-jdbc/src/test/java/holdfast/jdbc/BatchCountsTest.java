package holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Statement;
import org.junit.jupiter.api.Test;

class BatchCountsTest {

  @Test
  void aCountTheDriverDoesNotKnowIsNeitherZeroNorOne() {
    BatchCounts counts = new BatchCounts(new int[] {1, Statement.SUCCESS_NO_INFO, 0});

    assertThat(counts.size()).isEqualTo(3);
    assertThat(counts.areAllKnown()).isFalse();
    assertThat(counts.at(0)).hasValue(1);
    assertThat(counts.at(1)).isEmpty();
    assertThat(counts.at(2)).hasValue(0);
  }

  @Test
  void theDriversArrayIsNotShared() {
    int[] array = {1};
    BatchCounts counts = new BatchCounts(array);
    array[0] = 2;

    assertThat(counts.at(0)).hasValue(1);
    assertThat(counts.areAllKnown()).isTrue();
  }
}
