/**
 * Takes the schema files that the libraries ship. Has migration tools run them. Hands the tables to
 * the libraries, which must work on them.
 */
@NullMarked
package holdfast.verification.migration;

import org.jspecify.annotations.NullMarked;
