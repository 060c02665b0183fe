package failover.spring.boot;

import failover.execution.ContextPropagator;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Carries who is logged in, also that nobody is. The other thread has a context of its own, so that
 * one who logs out meanwhile does not change it. Stateless; not loaded where there is no Spring
 * Security.
 */
final class SecurityContextPropagator implements ContextPropagator {

  @Override
  public Runnable wrap(Runnable task) {
    Authentication callers = SecurityContextHolder.getContext().getAuthentication();
    return () -> {
      SecurityContext own = SecurityContextHolder.getContext();
      set(callers);
      try {
        task.run();
      } finally {
        putBack(own);
      }
    };
  }

  private static void set(@Nullable Authentication authentication) {
    if (authentication == null) {
      SecurityContextHolder.clearContext();
    } else {
      SecurityContext context = SecurityContextHolder.createEmptyContext();
      context.setAuthentication(authentication);
      SecurityContextHolder.setContext(context);
    }
  }

  private static void putBack(SecurityContext own) {
    if (own.getAuthentication() == null) {
      SecurityContextHolder.clearContext();
    } else {
      SecurityContextHolder.setContext(own);
    }
  }
}
