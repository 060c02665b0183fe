/**
 * Takes how long the answers of a point stay good. Works out the moment after which a stored answer
 * must not be served. Hands on that moment.
 */
@NullMarked
package failover.expiry;

import org.jspecify.annotations.NullMarked;
