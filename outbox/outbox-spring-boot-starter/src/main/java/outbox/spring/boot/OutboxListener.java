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
 * @OutboxListener
 * void mail(OrderPlaced order) { ... }
 *
 * @OutboxListener("OrderShipped")
 * void track(EventEnvelope event) { ... }
 * }</pre>
 *
 * <p>The method takes the {@link outbox.EventEnvelope}, its JSON payload as a {@code String} or as
 * an object, or both. It returns nothing, and once it has returned the event is done; or it returns
 * a {@link java.util.concurrent.CompletionStage}, its worker goes on, and the event is done when
 * the stage completes. If it throws, the event comes again; if the payload cannot be read as that
 * object, the event is dead at once. Listeners of one event run in the order of {@code @Order},
 * then of their beans. What they do must be safe to do twice, and by many threads.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(OutboxListeners.class)
public @interface OutboxListener {

  /**
   * The types of the events, one or more; {@code "*"} for all types. May be left out where the
   * method takes an object whose class has {@link holdfast.payload.PayloadType}.
   */
  String[] value() default {};
}
