package holdfast.verification.firsthour.mistakes;

import eventlog.spring.LogEvent;
import org.springframework.context.annotation.Bean;
import tracer.spring.Traced;

/** Beans whose methods have an annotation where it does nothing. */
final class MisplacedAnnotations {
  private MisplacedAnnotations() {}

  static class PrivateMethod {
    @LogEvent("Pay")
    @Traced
    private void pay() {}

    void all() {
      pay();
    }
  }

  static class FinalMethod {
    @LogEvent("Pay")
    @Traced
    final void pay() {}
  }

  static class StaticMethod {
    @LogEvent("Pay")
    @Traced
    static void pay() {}
  }

  static class BlankName {
    @LogEvent(" ")
    @Traced(" ")
    void pay() {}
  }

  static class OnPrivateMethod {
    @Bean
    PrivateMethod payments() {
      return new PrivateMethod();
    }
  }

  static class OnFinalMethod {
    @Bean
    FinalMethod payments() {
      return new FinalMethod();
    }
  }

  static class OnStaticMethod {
    @Bean
    StaticMethod payments() {
      return new StaticMethod();
    }
  }

  static class WithBlankName {
    @Bean
    BlankName payments() {
      return new BlankName();
    }
  }
}
