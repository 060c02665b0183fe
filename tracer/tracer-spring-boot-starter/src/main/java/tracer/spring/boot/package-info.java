/**
 * Takes {@code tracer.*} properties and the application's beans. Builds the tracer, starts it
 * before the beans that record and closes it after them. Hands the application its {@link
 * tracer.Tracer}, and operators meters and an endpoint.
 */
@NullMarked
package tracer.spring.boot;

import org.jspecify.annotations.NullMarked;
