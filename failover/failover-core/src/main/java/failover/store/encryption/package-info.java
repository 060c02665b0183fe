/**
 * Takes the content of an answer as bytes, and the row it belongs to. Encrypts it into an envelope
 * that names its cipher and key, or refuses what it cannot read. Hands the bytes on to {@link
 * failover.store}.
 */
@NullMarked
package failover.store.encryption;

import org.jspecify.annotations.NullMarked;
