/**
 * Takes a spillover directory and a command of a person. Looks into it, sends what is in it, or
 * brings back what was set aside, with the same code as the logger. Hands back a report, and an
 * exit code that scripts understand.
 */
@NullMarked
package eventlog.tool;

import org.jspecify.annotations.NullMarked;
