/**
 * Takes nothing. Shows on an H2 database what becomes of events that arrive, that find the queue
 * full, that fail once, and that fail until somebody redelivers them. Hands on the ledger.
 */
@NullMarked
package demo.outbox;

import org.jspecify.annotations.NullMarked;
