/**
 * Takes objects whose methods are annotated. Builds a point of each annotation and puts a proxy
 * before the object. Hands every annotated call to {@link failover.Failovers}.
 */
@NullMarked
package failover.proxy;

import org.jspecify.annotations.NullMarked;
