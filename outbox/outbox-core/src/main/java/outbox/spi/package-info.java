/**
 * Takes what the outbox does not want to know: whose transaction it is, where connections come
 * from, how rows are stored, where numbers are counted. Names each as an interface to implement.
 * Hands the rest of the library nothing else.
 */
@NullMarked
package outbox.spi;

import org.jspecify.annotations.NullMarked;
