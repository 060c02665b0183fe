package tracer;

import java.nio.file.Path;

/**
 * What a flight recorder has written at once.
 *
 * @param file the file that it was written to
 * @param reason why, as it was given
 * @param events how many events the file has; with 0 there may be no file
 */
public record TraceDump(Path file, String reason, long events) {}
