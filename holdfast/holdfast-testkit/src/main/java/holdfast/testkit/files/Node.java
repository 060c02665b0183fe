package holdfast.testkit.files;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory with two places: the one it has now, and the one a power loss leaves it.
 *
 * <p>Either place may be none: a deleted file has no place now, and a file whose directory has not
 * been forced since its creation has no durable one. Guarded by the lock of the {@link FaultPlan}.
 */
abstract sealed class Node permits DirectoryNode, FileNode {

  /** A name in a directory. */
  record Place(DirectoryNode directory, String name) {}

  private @Nullable Place now;
  private @Nullable Place durable;

  /** Makes durable what this node holds: the bytes of a file, the entries of a directory. */
  abstract void forced() throws IOException;

  boolean isPlaced() {
    return now != null;
  }

  boolean isDurable() {
    return durable != null;
  }

  /** Where the real file is now. */
  Path real() {
    Place place = now;
    if (place == null) {
      throw new IllegalStateException("a node must have a place to be found but was deleted");
    }
    return place.directory().real().resolve(place.name());
  }

  void place(Place place) {
    displace();
    now = place;
    place.directory().entries.put(place.name(), this);
  }

  void displace() {
    if (now != null) {
      now.directory().entries.remove(now.name(), this);
      now = null;
    }
  }

  /** Makes the place of now the durable one; whoever was to be found there is not any more. */
  void settle() {
    if (durable != null) {
      durable.directory().durableEntries.remove(durable.name(), this);
    }
    durable = now;
    if (now != null) {
      Node before = now.directory().durableEntries.put(now.name(), this);
      if (before != null && before != this) {
        before.durable = null;
      }
    }
  }
}
