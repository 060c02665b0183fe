package holdfast.payload;

/**
 * Writes payloads as JSON and reads them back. {@code holdfast-jackson} has one that uses Jackson.
 * An implementation that is listed as a service of this type is found by itself. Must be safe for
 * use by many threads.
 */
public interface PayloadMapper {

  /**
   * Writes a payload.
   *
   * @param payload an object of the application
   * @return JSON
   * @throws PayloadException if the object cannot be written
   */
  String write(Object payload);

  /**
   * Reads a payload. Fields that the class does not have are ignored.
   *
   * @param json what was stored with the event
   * @param type the class that a handler takes
   * @return the payload
   * @throws PayloadException if the text is no such payload; the message says why and in which
   *     field, and contains none of the data
   */
  <P> P read(String json, Class<P> type);
}
