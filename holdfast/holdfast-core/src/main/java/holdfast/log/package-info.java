/**
 * Takes failures that repeat and texts that others have written. Writes them to the log in few
 * lines, each of which is one line. Hands back nothing: the log is the end.
 */
@NullMarked
package holdfast.log;

import org.jspecify.annotations.NullMarked;
