package holdfast.testkit.db;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that runs once for each kind of database.
 *
 * <p>The method, its class's constructor and its {@code @BeforeEach} and {@code @AfterEach} methods
 * may take the {@link TestDatabase} as a parameter. It is fresh for each test class and kind, and
 * dropped after the class: the methods of one class share it, a nested class has its own.
 *
 * <pre>{@code
 * @EachDatabase
 * void remembersWhatItWasTold(TestDatabase database) { ... }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(EachDatabaseExtension.class)
public @interface EachDatabase {

  /** The kinds to run against; all of them unless told otherwise. */
  DatabaseKind[] value() default {DatabaseKind.H2, DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB};
}
