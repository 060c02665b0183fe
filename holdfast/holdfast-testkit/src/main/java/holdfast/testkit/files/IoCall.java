package holdfast.testkit.files;

import java.io.IOException;

/** Something to do with files that gives a result or fails. */
@FunctionalInterface
interface IoCall<T> {
  T run() throws IOException;
}
