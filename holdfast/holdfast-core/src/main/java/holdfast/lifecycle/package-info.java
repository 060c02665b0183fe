/**
 * Takes a library from its start to its end. Starts and closes it once, names its threads, keeps
 * its loops going, and shares one deadline over the stages of a shutdown. Hands back only after the
 * last call under way has left through the {@link holdfast.lifecycle.ClosingGate}.
 */
@NullMarked
package holdfast.lifecycle;

import org.jspecify.annotations.NullMarked;
