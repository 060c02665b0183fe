/**
 * Takes types of answers. Finds out whether their values can change, and what their type variables
 * stand for. Hands back types without variables.
 */
@NullMarked
package failover.types;

import org.jspecify.annotations.NullMarked;
