/**
 * Takes the address of a real server. Stands between it and its clients, and slows, stalls, cuts or
 * resets what passes. Hands every other byte on unchanged, through {@link
 * holdfast.testkit.net.TcpProxy}.
 */
@NullMarked
package holdfast.testkit.net;

import org.jspecify.annotations.NullMarked;
