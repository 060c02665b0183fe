/**
 * Takes what stands in the table. Gives rows, claims and counts a name in Java. Hands them between
 * the store and the steps that work on them.
 */
@NullMarked
package outbox.model;

import org.jspecify.annotations.NullMarked;
