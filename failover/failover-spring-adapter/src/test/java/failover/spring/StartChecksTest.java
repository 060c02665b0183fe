package failover.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import holdfast.testkit.log.CapturedLog;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What an application is told when it starts. */
class StartChecksTest {

  static class Same {
    @Failover(name = "same")
    public String one() {
      return "1";
    }

    @Failover(name = "same")
    public String two() {
      return "2";
    }
  }

  static final class Handle {}

  static class Unknown {
    @Failover(name = "unknown-key", keyGenerator = "nobody")
    public String key() {
      return "";
    }

    @Failover(name = "unknown-policy", expiryPolicy = "nobody")
    public String policy() {
      return "";
    }

    @Failover(name = "bad-expression", expiryDurationExpression = "${unset.property}")
    public String expression() {
      return "";
    }

    @Failover(name = "bad-number", expiryDurationExpression = "soon")
    public String number() {
      return "";
    }

    @Failover(name = "a-name-that-is-much-too-long-for-the-table-of-stored-answers")
    public String name() {
      return "";
    }

    @Failover(name = "open")
    public Runnable open() {
      return () -> {};
    }

    @Failover(name = "unkeyable")
    public String unkeyable(Handle argument) {
      return "";
    }
  }

  static class Hidden {
    @Failover(name = "hidden")
    @SuppressWarnings("UnusedMethod") // by the scanner
    private String hidden() {
      return "";
    }

    @Failover(name = "fixed")
    public final String fixed() {
      return "";
    }

    @Failover(name = "nothing")
    public void nothing() {}

    @Failover(name = "domain-a", domain = "shared", expiryDuration = 1)
    public String shared() {
      return "";
    }

    @Failover(name = "domain-b", domain = "shared", expiryDuration = 2)
    public String sharedToo() {
      return "";
    }
  }

  /** Makes an annotated bean before the advice is there. */
  static class Early implements BeanPostProcessor {
    Early(Shop shop) {
      shop.asked.incrementAndGet();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Beans.class)
  static class WithEarly {
    @Bean
    static Shop shop() {
      return new Shop();
    }

    @Bean
    static Early early(Shop shop) {
      return new Early(shop);
    }
  }

  private static void start(Class<?>... beans) {
    try (var context = new AnnotationConfigApplicationContext()) {
      context.register(Beans.class);
      context.register(beans);
      context.refresh();
    }
  }

  private static List<String> warnings(Class<?>... beans) {
    try (CapturedLog log = new CapturedLog("failover")) {
      start(beans);
      return log.messages(Level.WARNING);
    }
  }

  @Test
  void aNameThatIsTakenFailsTheStart() {
    assertThatThrownBy(() -> start(Same.class))
        .isInstanceOf(FailoverScannerException.class)
        .hasMessageContaining("'same' is on Same#")
        .hasMessageContaining("use domain");
  }

  @Test
  void allMistakesAreNamedAtOnce() {
    assertThatThrownBy(() -> start(Unknown.class))
        .isInstanceOfSatisfying(
            FailoverScannerException.class, e -> assertThat(e.problems()).hasSize(7))
        .hasMessageContaining("keyGenerator of failover 'unknown-key' must be one of [firstLetter]")
        .hasMessageContaining("expiryPolicy of failover 'unknown-policy' must be one of [forever]")
        .hasMessageContaining("unset.property")
        .hasMessageContaining("expiryDurationExpression of failover 'bad-number'")
        .hasMessageContaining("1 to 50 characters")
        .hasMessageContaining("failover 'open'")
        .hasMessageContaining("failover 'unkeyable'")
        .hasMessageContaining("give it a keyGenerator");
  }

  @Test
  void whatWillSurpriseSomebodyIsAWarning() {
    assertThat(warnings(Hidden.class))
        .hasSize(4)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("name=hidden")
                    .endsWith("the method is private: make it public"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("name=fixed")
                    .endsWith("the method is final: remove the modifier final"))
        .anySatisfy(line -> assertThat(line).contains("no answer to keep", "name=nothing"))
        .anySatisfy(line -> assertThat(line).contains("domain=shared", "[domain-a, domain-b]"));
  }

  @Test
  void aBeanThatWasMadeTooEarlyIsNamed() {
    assertThat(warnings(WithEarly.class))
        .anySatisfy(line -> assertThat(line).contains("not protected", "bean=shop"));
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Beans.class)
  static class Twice {
    @Bean
    Shop east() {
      return new Shop();
    }

    @Bean
    Shop west() {
      return new Shop();
    }
  }

  @Test
  void beansThatShareAPointAreNamed() {
    assertThat(warnings(Twice.class))
        .hasSize(4)
        .allSatisfy(line -> assertThat(line).contains("shared by several beans", "[east, west]"));
  }

  @Test
  void soundBeansAreNotWorthAWarning() {
    assertThat(warnings(Shop.class)).isEmpty();
  }
}
