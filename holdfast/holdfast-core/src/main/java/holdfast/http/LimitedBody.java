package holdfast.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * Collects a body up to a number of bytes. Refuses the rest by cancelling its subscription, which
 * closes the connection (HTTP/1.1) or resets the stream (HTTP/2). Confined to one exchange.
 */
final class LimitedBody implements BodySubscriber<LimitedBody.Content> {

  /** What was read, and whether there was more. */
  record Content(ByteBuffer bytes, boolean isTruncated) {}

  private final int maxBytes;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<Content> content = new CompletableFuture<>();
  private @Nullable Subscription subscription;

  LimitedBody(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public CompletionStage<Content> getBody() {
    return content;
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    Subscription source = subscription;
    if (source == null || content.isDone()) {
      return;
    }
    for (ByteBuffer buffer : buffers) {
      int count = Math.min(buffer.remaining(), maxBytes - bytes.size());
      boolean isMore = count < buffer.remaining();
      byte[] read = new byte[count];
      buffer.get(read);
      bytes.writeBytes(read);
      if (isMore) {
        source.cancel();
        end(true);
        return;
      }
    }
    source.request(1);
  }

  @Override
  public void onError(Throwable failure) {
    content.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    end(false);
  }

  private void end(boolean isTruncated) {
    content.complete(
        new Content(ByteBuffer.wrap(bytes.toByteArray()).asReadOnlyBuffer(), isTruncated));
  }
}
