/**
 * Takes events that could not be sent. Appends them, with a number and a checksum, to the active
 * file of a directory that this process alone has locked, within the configured limits. Hands the
 * frozen file to {@link eventlog.replay}.
 */
@NullMarked
package eventlog.spill;

import org.jspecify.annotations.NullMarked;
