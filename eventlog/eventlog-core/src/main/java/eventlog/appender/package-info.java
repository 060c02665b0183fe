/**
 * Takes lines of a log framework, and the settings of its configuration file as texts. Makes each
 * line an event and logs it, except for lines that logging an event causes. Reports losses and the
 * ledger at the end to the framework.
 */
@NullMarked
package eventlog.appender;

import org.jspecify.annotations.NullMarked;
