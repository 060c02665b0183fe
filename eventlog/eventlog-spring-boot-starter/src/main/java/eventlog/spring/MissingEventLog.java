package eventlog.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Why there is no event log, and the way to one.
 *
 * @param reason what was found
 * @param action what to do
 */
record MissingEventLog(String reason, String action) {

  static MissingEventLog in(@Nullable Environment environment) {
    boolean enabled =
        environment == null || environment.getProperty("eventlog.enabled", Boolean.class, true);
    if (!enabled) {
      return new MissingEventLog(
          "the event log is switched off by eventlog.enabled=false", "set eventlog.enabled=true");
    }
    return new MissingEventLog(
        "the event log needs a client but there is none",
        "set eventlog.base-url, or define an EventLogClient bean, or set eventlog.enabled=false");
  }
}
