/**
 * Takes what Spring holds: the transaction of the calling thread, the beans and their annotated
 * methods, the order in which things start and stop. Needs no Spring Boot. Hands it to the adapters
 * and starters of the libraries.
 */
@NullMarked
package holdfast.spring;

import org.jspecify.annotations.NullMarked;
