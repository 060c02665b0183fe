package tracer.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import tracer.Tracer;

/**
 * Closes the tracer when the application context ends, in place of a hook of the JVM. It is made
 * before all beans that Spring puts advice around, so Spring destroys it after them: what they
 * record while they end is still written. Safe for use by many threads.
 */
final class TracerShutdown implements DisposableBean {
  private volatile @Nullable Tracer tracer;

  /** Has this tracer closed at the end. */
  Tracer closes(Tracer built) {
    tracer = built;
    return built;
  }

  @Override
  public void destroy() {
    Tracer built = tracer;
    if (built != null) {
      built.close();
    }
  }
}
