/**
 * Takes what an application may bring itself: the client that carries events to the API. Says how
 * an answer is understood, and writes and reads events as JSON for those who need it. Hands answers
 * to {@link eventlog.send} and {@link eventlog.replay}.
 */
@NullMarked
package eventlog.spi;

import org.jspecify.annotations.NullMarked;
