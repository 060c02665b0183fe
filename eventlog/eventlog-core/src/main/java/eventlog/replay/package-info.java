/**
 * Takes the frozen file of a directory. Sends its events in batches, at a bounded rate that gives
 * way to live traffic, and writes down how far it came after every answer. Hands the file back,
 * deleted, when the last event was answered.
 */
@NullMarked
package eventlog.replay;

import org.jspecify.annotations.NullMarked;
