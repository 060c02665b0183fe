/**
 * Takes events over HTTP. Stores each of them once in a database, or fails in the way it was told
 * to. Hands them back by correlation id and by trace id.
 */
@NullMarked
package demo.eventlog;

import org.jspecify.annotations.NullMarked;
