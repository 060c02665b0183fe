package holdfast.verification.model;

import java.util.ArrayList;
import java.util.List;

/** A long list of numbers that never copies itself. */
final class IntList {
  private static final int BITS = 18;
  private static final int MASK = (1 << BITS) - 1;

  private final List<int[]> chunks = new ArrayList<>();
  private int size;

  void add(int value) {
    if ((size & MASK) == 0) {
      chunks.add(new int[1 << BITS]);
    }
    chunks.get(size >> BITS)[size & MASK] = value;
    size++;
  }

  int get(int index) {
    return chunks.get(index >> BITS)[index & MASK];
  }

  int size() {
    return size;
  }
}
