package failover.codec;

import java.util.Optional;

/**
 * What is known of a type.
 *
 * @param problem why its values cannot be kept, with the fix; empty if they can
 * @param isExact whether every value that can be written is known to come back as it was
 */
record TypeVerdict(Optional<String> problem, boolean isExact) {}
