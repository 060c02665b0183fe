package outbox.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that takes events, or a bean that is an {@link outbox.EventListener}.
 *
 * <pre>{@code
 * @OutboxListener("OrderPlaced")
 * void mail(EventEnvelope event) { ... }
 * }</pre>
 *
 * <p>The method has one parameter, the {@link outbox.EventEnvelope} or its JSON payload as a {@code
 * String}, and returns nothing: once it has returned, the event is done. If it throws, the event
 * comes again. Listeners of one event run in the order of {@code @Order}, then of their beans. What
 * they do must be safe to do twice, and by many threads.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(OutboxListeners.class)
public @interface OutboxListener {

  /** The types of the events, one or more; {@code "*"} for all types. */
  String[] value();
}
