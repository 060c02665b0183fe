package holdfast.verification.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The states seen so far, numbered in the order in which they were found. */
final class StateSet {
  private static final int BITS = 14;
  private static final int MASK = (1 << BITS) - 1;

  private final int length;
  private final List<byte[]> chunks = new ArrayList<>();
  private int[] slots = new int[1 << 16]; // number + 1, or 0
  private int size;

  StateSet(int length) {
    this.length = length;
  }

  int size() {
    return size;
  }

  /** Returns the number of a state, which is the former size if the state is new. */
  int add(byte[] state) {
    int slot = slotOf(state);
    if (slots[slot] != 0) {
      return slots[slot] - 1;
    }
    if ((size & MASK) == 0) {
      chunks.add(new byte[length << BITS]);
    }
    System.arraycopy(state, 0, chunks.get(size >> BITS), (size & MASK) * length, length);
    slots[slot] = ++size;
    if (size > slots.length / 2) {
      grow();
    }
    return size - 1;
  }

  byte[] get(int number) {
    int from = (number & MASK) * length;
    return Arrays.copyOfRange(chunks.get(number >> BITS), from, from + length);
  }

  private int slotOf(byte[] state) {
    int slot = hash(state) & slots.length - 1;
    while (slots[slot] != 0 && !isAt(slots[slot] - 1, state)) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  private boolean isAt(int number, byte[] state) {
    int from = (number & MASK) * length;
    byte[] chunk = chunks.get(number >> BITS);
    return Arrays.equals(chunk, from, from + length, state, 0, length);
  }

  private static int hash(byte[] state) {
    int hash = Arrays.hashCode(state) * 0x9E3779B9;
    return hash ^ hash >>> 15;
  }

  private void grow() {
    slots = new int[slots.length * 2];
    for (int number = 0; number < size; number++) {
      slots[slotOf(get(number))] = number + 1;
    }
  }
}
