package eventlog;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What is on disk at one moment. Immutable.
 *
 * @param directory the directory of this process; null while there is none to be had
 * @param failing whether the disk could not be written lately, or has not answered for 5 seconds
 * @param waiting events that wait to be written
 * @param events events on disk that are not yet answered for
 * @param maxEvents how many of them there may be
 * @param bytes the bytes of the active and the replay file
 * @param maxBytes how many of them there may be
 * @param replayBytes the bytes of the replay file; 0 if there is none
 * @param replayedBytes how many of them are sent
 * @param quarantined lines that were set aside
 */
public record SpilloverStatus(
    @Nullable Path directory,
    boolean failing,
    long waiting,
    long events,
    long maxEvents,
    long bytes,
    long maxBytes,
    long replayBytes,
    long replayedBytes,
    long quarantined) {}
