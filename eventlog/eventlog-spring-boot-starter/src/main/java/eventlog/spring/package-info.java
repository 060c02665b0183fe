/**
 * Takes {@code eventlog.*} properties and the application's beans. Builds the logger, closes it
 * after the beans that log, and logs the calls of methods marked {@link eventlog.spring.LogEvent}.
 * Hands the application its {@link eventlog.AsyncEventLogger}, and operators health, meters and an
 * endpoint.
 */
@NullMarked
package eventlog.spring;

import org.jspecify.annotations.NullMarked;
