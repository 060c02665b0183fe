/**
 * Takes the lines of Logback, and its settings from {@code logback.xml}. Makes each line what an
 * appender of the event log takes. Hands it on, and reports to Logback's status messages.
 */
@NullMarked
package eventlog.logback;

import org.jspecify.annotations.NullMarked;
