/**
 * Takes what a test has other threads do. Waits for it with a deadline, and hands back what they
 * answered or threw.
 */
@NullMarked
package holdfast.testkit.threads;

import org.jspecify.annotations.NullMarked;
