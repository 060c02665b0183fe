package holdfast.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends HTTP requests that cannot take too long or too much memory. One deadline covers the whole
 * exchange: connecting, TLS, the request, the headers and the last byte of the body. A body is read
 * up to a number of bytes; the rest is refused.
 *
 * <p>The JDK's own request timeout ends with the headers, so that a body that stalls would hold its
 * caller for ever.
 *
 * <p>Safe for use by many threads.
 */
public final class BoundedHttpClient implements AutoCloseable {
  private final HttpClient client;
  private final @Nullable OwnedHttpClient owned;
  private final int maxBodyBytes;
  private final Set<Exchange> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private BoundedHttpClient(HttpClient client, @Nullable OwnedHttpClient owned, int maxBodyBytes) {
    this.client = client;
    this.owned = owned;
    this.maxBodyBytes = maxBodyBytes;
  }

  /**
   * Creates a client with threads of its own, which {@link #close} ends.
   *
   * @param threads makes its threads
   * @param connectTimeout how long connecting may take
   * @param maxBodyBytes how many bytes of a body are read at most
   * @return the client
   */
  public static BoundedHttpClient create(
      ThreadFactory threads, Duration connectTimeout, int maxBodyBytes) {
    OwnedHttpClient owned = new OwnedHttpClient(threads, connectTimeout);
    return new BoundedHttpClient(owned.client(), owned, maxBodyBytes);
  }

  /**
   * Uses a client that belongs to the caller, with its own proxy or TLS settings. {@link #close}
   * leaves it running.
   *
   * @param client the client
   * @param maxBodyBytes how many bytes of a body are read at most
   * @return the client with limits
   */
  public static BoundedHttpClient using(HttpClient client, int maxBodyBytes) {
    return new BoundedHttpClient(client, null, maxBodyBytes);
  }

  /**
   * Sends a request and waits for the complete answer.
   *
   * @param request the request; a timeout of its own is not needed
   * @param timeout how long the whole exchange may take
   * @return the answer
   * @throws HttpTimeoutException if the answer was not complete in time; the exchange is cancelled
   * @throws IOException if there was no answer, or the client is closed
   * @throws InterruptedException if the calling thread is interrupted; the exchange is cancelled
   */
  public HttpAnswer send(HttpRequest request, Duration timeout)
      throws IOException, InterruptedException {
    Exchange exchange = begin(request);
    try {
      HttpResponse<LimitedBody.Content> response =
          exchange.answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      LimitedBody.Content body = response.body();
      return new HttpAnswer(
          response.statusCode(), response.headers(), body.bytes(), body.isTruncated());
    } catch (TimeoutException e) {
      throw new HttpTimeoutException(
          "no complete answer within " + timeout.toMillis() + " ms; the request was cancelled");
    } catch (CancellationException e) {
      throw closedException();
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } finally {
      underWay.remove(exchange);
      exchange.cancel(); // does nothing to one that has ended
    }
  }

  private Exchange begin(HttpRequest request) throws IOException {
    if (closed) {
      throw closedException();
    }
    Exchange exchange =
        new Exchange(client.sendAsync(request, head -> new LimitedBody(maxBodyBytes)));
    underWay.add(exchange);
    if (closed) { // close() may have looked before this exchange was there to be cancelled
      exchange.cancel();
    }
    return exchange;
  }

  /** A request whose answer has not come yet; equal to itself only. */
  private static final class Exchange {
    private final CompletableFuture<HttpResponse<LimitedBody.Content>> answer;

    private Exchange(CompletableFuture<HttpResponse<LimitedBody.Content>> answer) {
      this.answer = answer;
    }

    private void cancel() {
      answer.cancel(true);
    }
  }

  private static IOException closedException() {
    return new IOException("the HTTP client is closed; the request was not completed");
  }

  private static IOException failure(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof IOException failure ? failure : new IOException(cause);
  }

  /**
   * Cancels the exchanges under way and refuses new ones. Ends the threads and connections of a
   * client made by {@link #create}. Idempotent.
   */
  @Override
  public void close() {
    closed = true;
    underWay.forEach(Exchange::cancel);
    if (owned != null) {
      owned.close();
    }
  }
}
