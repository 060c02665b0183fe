/**
 * Takes trace files that the tracer has written. Loads them into Perfetto's own trace processor and
 * asks it what it sees. Hands on nothing: a file that it does not understand fails the build.
 */
@NullMarked
package perfetto;

import org.jspecify.annotations.NullMarked;
