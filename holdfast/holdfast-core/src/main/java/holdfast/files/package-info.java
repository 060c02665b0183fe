/**
 * Takes the paths of files that hold data of an application. Makes files and directories that only
 * their owner may read, and opens files without following symbolic links. Hands open channels back.
 */
@NullMarked
package holdfast.files;

import org.jspecify.annotations.NullMarked;
