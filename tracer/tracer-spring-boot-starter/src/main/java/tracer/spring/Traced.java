package tracer.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Records a span of each call of a bean's method.
 *
 * <pre>{@code
 * @Traced
 * Order place(Cart cart) { ... }             // span Orders.place
 *
 * @Traced("shop.checkout")
 * void checkOut(Order order) { ... }         // span shop.checkout
 * }</pre>
 *
 * <p>On a type it concerns all public methods of the beans of that type; an annotation on a method
 * takes precedence. The span ends when the method returns or throws, also if it returns a {@code
 * CompletionStage} that is not complete. Arguments and results are not recorded. What the method
 * returns or throws is what its caller gets.
 *
 * <p>As with all advice of Spring, calls within the same bean are not seen, nor are those of
 * private, final and static methods; the log says at the start which annotated methods these are.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Traced {

  /**
   * The name of the span, from 1 to 256 characters; by default the simple name of the class, a dot,
   * and the name of the method. Its category is the part before the first dot. On a type it is the
   * name of the spans of all methods.
   */
  String value() default "";
}
