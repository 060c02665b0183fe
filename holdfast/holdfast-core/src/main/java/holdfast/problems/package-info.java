/**
 * Takes every check a builder makes of its settings. Collects the ones that fail, each with what
 * must hold and what was found. Hands all of them to the caller at once, in one exception.
 */
@NullMarked
package holdfast.problems;

import org.jspecify.annotations.NullMarked;
