/**
 * Takes what Spring applications say of their work: observations of Micrometer, and methods marked
 * {@link tracer.spring.Traced}. Makes spans of them. Hands them to a {@link tracer.Tracer}.
 */
@NullMarked
package tracer.spring;

import org.jspecify.annotations.NullMarked;
