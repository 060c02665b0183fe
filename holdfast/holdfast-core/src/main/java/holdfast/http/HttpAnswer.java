package holdfast.http;

import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;

/**
 * The answer to an HTTP request. Immutable.
 *
 * @param status the status code
 * @param headers the headers
 * @param body the body, read-only, at most as many bytes as the client reads
 * @param isTruncated whether the body was longer; the rest was refused
 */
public record HttpAnswer(int status, HttpHeaders headers, ByteBuffer body, boolean isTruncated) {}
