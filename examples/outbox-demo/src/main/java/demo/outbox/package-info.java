/**
 * Takes nothing. Shows on an H2 database what becomes of events that arrive, that find the queue
 * full, that fail once and that always fail. Hands on the books, and whether they balance.
 */
@NullMarked
package demo.outbox;

import org.jspecify.annotations.NullMarked;
