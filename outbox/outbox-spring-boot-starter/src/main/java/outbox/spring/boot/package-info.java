/**
 * Takes a data source, {@code outbox.*} properties and the application's listeners. Builds the
 * outbox, starts it late and stops it before what it needs. Hands the application its {@link
 * outbox.OutboxClient}, and operators health, meters and an endpoint.
 */
@NullMarked
package outbox.spring.boot;

import org.jspecify.annotations.NullMarked;
