/** Takes what the tested code logs, and keeps it from the console. */
@NullMarked
package holdfast.testkit.log;

import org.jspecify.annotations.NullMarked;
