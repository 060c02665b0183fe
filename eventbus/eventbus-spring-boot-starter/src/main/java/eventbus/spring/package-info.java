/**
 * Takes the transaction that Spring holds for the calling thread, and methods marked with {@link
 * eventbus.spring.EventBusHandler}. Has events join the one, through {@link
 * eventbus.spring.SpringTransaction}, and reach the others, by what is in {@code boot}.
 */
@NullMarked
package eventbus.spring;

import org.jspecify.annotations.NullMarked;
