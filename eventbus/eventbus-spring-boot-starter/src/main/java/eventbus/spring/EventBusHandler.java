package eventbus.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * A method of a bean that handles events.
 *
 * <pre>{@code
 * @EventBusHandler
 * void mail(OrderPlaced order) { ... }
 *
 * @EventBusHandler(type = "OrderPlaced", id = "stock")
 * void reserve(String payload, Event event) { ... }
 * }</pre>
 *
 * <p>The method takes the {@link eventbus.Event}, its payload as a {@code String} or as an object,
 * or both. It returns nothing, and once it has returned it is done with the event; or it returns a
 * {@link java.util.concurrent.CompletionStage}, its worker goes on, and it is done when the stage
 * completes. If it throws, the event comes again; if the payload cannot be read as that object, the
 * event is FAILED at once. It must be safe to run twice, and by many threads. It is called on the
 * bean as others get it, through its proxies; a lazy bean is made for its first event, and a
 * prototype anew for each.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(EventBusHandlers.class)
public @interface EventBusHandler {

  /** The types of the events, one or more, exactly; another name of {@link #type}. */
  @AliasFor("type")
  String[] value() default {};

  /**
   * The types of the events, one or more, exactly. May be left out where the method takes an object
   * whose class has {@link holdfast.payload.PayloadType}.
   */
  @AliasFor("value")
  String[] type() default {};

  /**
   * Names the handler among those of its type, in all versions and on all pods: the table keeps it
   * with events whose other handlers failed. May be left out where a type has one handler.
   */
  String id() default eventbus.EventRouter.DEFAULT_HANDLER;
}
