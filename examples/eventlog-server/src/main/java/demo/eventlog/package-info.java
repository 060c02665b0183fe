/**
 * Takes events from the Event Log API of the testkit. Stores each of them once in a database. Hands
 * them back by correlation id and by trace id.
 */
@NullMarked
package demo.eventlog;

import org.jspecify.annotations.NullMarked;
