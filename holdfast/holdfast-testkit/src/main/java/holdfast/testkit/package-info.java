/**
 * Takes what a test needs of the world. Says so when the machine at hand cannot give it. Hands on
 * to the packages below, one for each kind of thing.
 */
@NullMarked
package holdfast.testkit;

import org.jspecify.annotations.NullMarked;
