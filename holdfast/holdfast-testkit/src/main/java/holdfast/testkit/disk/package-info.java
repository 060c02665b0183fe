/**
 * Takes a number of bytes. Mounts a real file system of that size, which a test can fill and make
 * read-only. Hands its path to the code under test, and takes it away again.
 */
@NullMarked
package holdfast.testkit.disk;

import org.jspecify.annotations.NullMarked;
