/**
 * Takes payloads as objects of the application. Finds the event type of their class by {@link
 * holdfast.payload.PayloadType} or a registered name, and has a {@link
 * holdfast.payload.PayloadMapper} write and read them. Hands on JSON, or the object a handler
 * takes.
 */
@NullMarked
package holdfast.payload;

import org.jspecify.annotations.NullMarked;
