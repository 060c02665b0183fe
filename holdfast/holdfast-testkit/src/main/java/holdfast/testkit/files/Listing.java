package holdfast.testkit.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The entries of a directory at the moment it was asked.
 *
 * <p>They are read at once, so that a crash leaves no real directory open. Safe for use by many
 * threads, of which one gets the entries.
 */
final class Listing implements DirectoryStream<Path> {

  private final List<Path> entries;
  private final AtomicBoolean spent = new AtomicBoolean();

  private Listing(List<Path> entries) {
    this.entries = entries;
  }

  static Listing of(FaultyPath directory, Filter<? super Path> filter) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> real = Files.newDirectoryStream(directory.real())) {
      for (Path entry : real) {
        Path path = directory.resolve(String.valueOf(entry.getFileName()));
        if (filter.accept(path)) {
          entries.add(path);
        }
      }
    }
    return new Listing(List.copyOf(entries));
  }

  @Override
  public Iterator<Path> iterator() {
    if (!spent.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "a directory stream must be open and gives its entries once, but was closed or has given"
              + " them; open another one");
    }
    return entries.iterator();
  }

  @Override
  public void close() {
    spent.set(true);
  }
}
