package holdfast.payload;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the event type of a payload class. Events carry this name, never that of the class, so the
 * class can be renamed and each consumer can have its own.
 *
 * <pre>{@code
 * @PayloadType("OrderPlaced")
 * record OrderPlaced(long id, String item) {}
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface PayloadType {

  /** The event type, 1 to 128 characters without white space at its ends. */
  String value();
}
