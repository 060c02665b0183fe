package holdfast.micrometer;

/** One of a library's meters; a library lists them all in one enum. */
public interface ListedMeter {

  /** All that is to be said of it. */
  MeterInfo info();

  /** Its name in the registry. */
  default String meterName() {
    return info().name();
  }

  /** How its value moves. */
  default MeterInfo.Kind kind() {
    return info().kind();
  }

  /** What it measures, in a sentence. */
  default String sentence() {
    return info().sentence();
  }
}
