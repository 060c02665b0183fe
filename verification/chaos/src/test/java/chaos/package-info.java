/**
 * What every campaign needs, whatever the library: chance that can be repeated, a deadline that
 * says what is missing, node processes that are killed and started again, network lines that break,
 * and the exact times of each trouble.
 */
@NullMarked
package chaos;

import org.jspecify.annotations.NullMarked;
