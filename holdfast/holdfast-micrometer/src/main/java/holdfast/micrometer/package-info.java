/**
 * Takes the delivery ledger of any library. Reads it when a registry asks, at most once in a set
 * time. Gives Micrometer the meters listed in {@link holdfast.micrometer.LedgerMeter}.
 */
@NullMarked
package holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
