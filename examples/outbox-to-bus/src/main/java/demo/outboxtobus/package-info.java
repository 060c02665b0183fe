/**
 * Takes nothing. Shows on an H2 database how orders pass from the outbox onto the event bus, each
 * once, also when a delivery is repeated. Hands on the ledger of both libraries.
 */
@NullMarked
package demo.outboxtobus;

import org.jspecify.annotations.NullMarked;
