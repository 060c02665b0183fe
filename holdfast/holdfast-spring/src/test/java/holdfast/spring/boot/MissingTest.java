package holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.spring.test.TwoDataSources;
import holdfast.testkit.log.CapturedLog;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Why something is not there, in words that help. */
class MissingTest {

  private static Missing in(BeanFactory beans) {
    return Missing.onDataSource(beans, "corner shop", "shop", MissingTest.class);
  }

  @Test
  void theReasonIsTheNumberOfDataSources() {
    StaticListableBeanFactory beans = new StaticListableBeanFactory();
    assertThat(in(beans))
        .isEqualTo(
            new Missing(
                "the corner shop needs a DataSource but there is none",
                "set spring.datasource.url, or define a DataSource bean, or set"
                    + " shop.enabled=false"));

    beans.addBean("one", new DriverManagerDataSource());
    assertThat(in(beans).reason())
        .isEqualTo("there is a DataSource, but no corner shop was made from it");
    assertThat(in(beans).action()).contains("shop.enabled=true", "--debug", "MissingTest");

    try (var two = new AnnotationConfigApplicationContext(TwoDataSources.class)) {
      assertThat(in(two).reason())
          .isEqualTo(
              "the corner shop needs one DataSource but there are [orders, archive], none primary");
      assertThat(in(two).action()).contains("@Primary", "shop.enabled=false");
    }
  }

  @Test
  void itIsSaidInTheLog() {
    try (CapturedLog log = new CapturedLog("shop")) {
      new Missing("there is {0} none", "make one").warn("shop", "nobody is served");

      assertThat(log.messages(Level.WARNING))
          .containsExactly("shop is not there, nobody is served: there is {0} none; make one");
    }
  }

  /** Asks for one of these. */
  static class Shop {}

  static class ShopAnalyzer extends MissingBeanAnalyzer {
    ShopAnalyzer() {
      super(() -> new Missing("there is none", "make one"), Shop.class, Runnable.class);
    }
  }

  @Test
  void onlyBeansOfItsOwnThatAreNotThereAtAllAreExplained() {
    ShopAnalyzer analyzer = new ShopAnalyzer();
    FailureAnalysis analysis = analyzer.analyze(new NoSuchBeanDefinitionException(Shop.class));

    assertThat(analysis.getDescription()).isEqualTo("a bean wants Shop, but there is none");
    assertThat(analysis.getAction()).isEqualTo("make one");
    assertThat(analyzer.analyze(new NoSuchBeanDefinitionException(String.class))).isNull();
    assertThat(analyzer.analyze(new NoSuchBeanDefinitionException("shop"))).isNull();
    assertThat(analyzer.analyze(new NoUniqueBeanDefinitionException(Shop.class, "a", "b")))
        .isNull();
    assertThat(analyzer.getOrder()).isEqualTo(Integer.MIN_VALUE);
  }

  @Test
  void bootIsToldHowToShowWhatCannotStart() {
    StartException cannot = new StartException("the shop is closed", "open it");

    assertThat(
            SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, FailureHandler.handleMessage((text, e) -> {})))
        .hasAtLeastOneElementOfType(StartFailureAnalyzer.class);
    FailureAnalysis analysis =
        new StartFailureAnalyzer().analyze(new BeanCreationException("no bean", cannot));
    assertThat(analysis.getDescription()).isEqualTo("the shop is closed");
    assertThat(analysis.getAction()).isEqualTo("open it");
    assertThat(analysis.getCause()).isSameAs(cannot);
  }
}
