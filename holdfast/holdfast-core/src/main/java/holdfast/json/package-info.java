/**
 * Takes a map of texts, such as an event's headers. Writes it as a JSON object and reads it back,
 * without a JSON library. Hands on exactly what it was given, or an error that names the position.
 */
@NullMarked
package holdfast.json;

import org.jspecify.annotations.NullMarked;
