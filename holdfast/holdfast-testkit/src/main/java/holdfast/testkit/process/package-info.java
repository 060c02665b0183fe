/**
 * Takes a main class. Runs it in a process of its own, which a test can kill at any moment. Hands
 * on the lines the process acknowledged before it died.
 */
@NullMarked
package holdfast.testkit.process;

import org.jspecify.annotations.NullMarked;
