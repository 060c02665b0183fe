/**
 * Takes events of the outbox from its workers. Sends each to a topic of Apache Kafka as a
 * CloudEvent, many at the same time, and pauses while the broker cannot be reached. Hands back to
 * the outbox what the broker has acknowledged, what is to be tried later, and what can never be
 * sent.
 */
@NullMarked
package relay.kafka;

import org.jspecify.annotations.NullMarked;
