/**
 * Takes what the starters ask of Spring Boot: checks of properties, reasons why something cannot
 * start or is not there, requests and answers of endpoints. Hands each to its place, in the same
 * words for all libraries.
 */
@NullMarked
package holdfast.spring.boot;

import org.jspecify.annotations.NullMarked;
