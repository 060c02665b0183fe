/**
 * Takes the time and chance. Makes identifiers of 26 characters that sort in the order they were
 * made and never repeat. Hands them on as plain text, ready for a primary key.
 */
@NullMarked
package holdfast.id;

import org.jspecify.annotations.NullMarked;
