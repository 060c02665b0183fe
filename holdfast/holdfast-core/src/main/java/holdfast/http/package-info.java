/**
 * Takes an HTTP request and a deadline. Sends it with the JDK's client, limits the whole exchange
 * in time and the answer's body in bytes. Hands back status, headers and body.
 */
@NullMarked
package holdfast.http;

import org.jspecify.annotations.NullMarked;
