/**
 * Takes the lines of Log4j 2, and its settings from {@code log4j2.xml}. Makes each line what an
 * appender of the event log takes. Hands it on, and reports to Log4j's status logger.
 */
@NullMarked
package eventlog.log4j2;

import org.jspecify.annotations.NullMarked;
