/**
 * Takes whole worker processes of the event bus on one database. Kills them again and again, and
 * notes every acquisition, run and closing of every event. Hands on accounts that must fit each
 * other.
 */
@NullMarked
package chaos.eventbus;

import org.jspecify.annotations.NullMarked;
