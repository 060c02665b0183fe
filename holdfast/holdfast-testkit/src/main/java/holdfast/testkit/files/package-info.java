/**
 * Takes a real directory. Puts a file system of {@code java.nio.file} over it that numbers every
 * change and can refuse it, tear it, or stop the world after it. Hands the code under test an
 * ordinary path, and the test, after a crash, the directory as a restarted process would find it.
 */
@NullMarked
package holdfast.testkit.files;

import org.jspecify.annotations.NullMarked;
