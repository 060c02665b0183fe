/**
 * Campaigns against the event log: processes that log, killed at any moment, with an API that comes
 * and goes.
 */
@NullMarked
package chaos.eventlog;

import org.jspecify.annotations.NullMarked;
