/**
 * Takes what the bus and its workers ask of the tables. Says it in the words of the database, by
 * one clock, which is the database's, and fenced by the token of each claim. Hands rows back as
 * events.
 */
@NullMarked
package eventbus.table;

import org.jspecify.annotations.NullMarked;
