/**
 * Takes the delivery protocol of outbox and event bus as rules for small states. Visits every
 * interleaving of a few nodes, events and faults, and compares what it finds with the expected
 * answer of each scenario. Start reading at {@link Protocol}, then {@link Scenario}.
 */
@NullMarked
package holdfast.verification.model;

import org.jspecify.annotations.NullMarked;
