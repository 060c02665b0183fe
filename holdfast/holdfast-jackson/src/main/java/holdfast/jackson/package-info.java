/**
 * Takes payloads as objects of the application, or as the JSON of an event. Has Jackson turn each
 * into the other, through {@link holdfast.jackson.JacksonPayloadMapper}. Hands on the result, or a
 * reason that names the field and contains none of the data.
 */
@NullMarked
package holdfast.jackson;

import org.jspecify.annotations.NullMarked;
