/**
 * Takes the kind of database a test wants. Opens a fresh one, on a server that all test JVMs of the
 * build share and that ends with the build. Hands it to tests marked {@link
 * holdfast.testkit.db.EachDatabase} or to whoever calls {@link
 * holdfast.testkit.db.TestDatabase#open}.
 */
@NullMarked
package holdfast.testkit.db;

import org.jspecify.annotations.NullMarked;
