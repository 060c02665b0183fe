package holdfast.verification.firsthour.mistakes;

import holdfast.verification.firsthour.mistakes.Mistake.Library;
import holdfast.verification.firsthour.mistakes.Mistake.Making;
import holdfast.verification.firsthour.mistakes.Mistake.Occasion;
import java.util.ArrayList;
import java.util.List;

/** The mistakes of one library, as they are written down. Confined to one thread. */
final class MistakeList {
  private final Library library;
  private final List<Mistake> mistakes = new ArrayList<>();

  MistakeList(Library library) {
    this.library = library;
  }

  /** Adds a mistake: its name, when its message is seen, the message, and its three parts. */
  MistakeList add(
      String name, Occasion occasion, Making making, String happened, String found, String fix) {
    mistakes.add(new Mistake(library, name, occasion, making, happened, found, fix));
    return this;
  }

  List<Mistake> all() {
    return List.copyOf(mistakes);
  }
}
