/**
 * Takes a data source, {@code eventbus.*} properties and the application's handlers. Builds the
 * bus, starts it late and stops it before what it needs. Hands the application its {@link
 * eventbus.EventBus}, and operators health, meters and an endpoint.
 */
@NullMarked
package eventbus.spring.boot;

import org.jspecify.annotations.NullMarked;
