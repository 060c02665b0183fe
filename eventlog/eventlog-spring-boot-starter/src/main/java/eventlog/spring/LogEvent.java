package eventlog.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has the calls of a bean's method logged, as a process or as a step of one.
 *
 * <pre>{@code
 * @LogEvent("PlaceOrder")
 * Order place(Cart cart) { ... }             // PROCESS_START, then PROCESS_END or ERROR
 *
 * @LogEvent(step = "ReserveStock", sequence = 1, targetSystem = "warehouse")
 * void reserve(Order order) { ... }          // STEP or ERROR
 * }</pre>
 *
 * <p>The last event of a call has its execution time; that of a failed one the class and the
 * message of the exception. Of a method that returns a {@code CompletionStage} it is logged when
 * that is complete. Events have the correlation and trace id that the MDC has for the thread; if
 * there are none, they are made up and put there while the method runs, so that everything below
 * has the same. Arguments and results are never logged.
 *
 * <p>What the method returns or throws is what its caller gets, whatever becomes of the events. As
 * with all advice of Spring, calls within the same bean are not seen.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface LogEvent {

  /**
   * The name of the process; if it is not given, that of the process on whose behalf the method is
   * called, or else the names of class and method.
   */
  String value() default "";

  /** The name of the step; if it is not given, the method is the process. */
  String step() default "";

  /** The number of the step; none below 1. */
  int sequence() default 0;

  /** Whether the beginning of a step is logged as well, as one in progress. */
  boolean start() default false;

  /** What happens, in a sentence; made from the names if it is not given. */
  String summary() default "";

  /** The system that is called; that of the settings if it is not given. */
  String targetSystem() default "";

  /** The system it all began in; that of the settings if it is not given. */
  String originatingSystem() default "";
}
