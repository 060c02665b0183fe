package failover.spring;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Failover;
import holdfast.testkit.log.CapturedLog;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Which points are said to take part in the transaction of their caller. */
class CallersTransactionTest {

  @Retention(RetentionPolicy.RUNTIME)
  @Transactional(propagation = Propagation.MANDATORY)
  @interface InTheCallers {}

  static class Methods {
    @Failover(name = "required")
    @Transactional
    public String required() {
      return "";
    }

    @Failover(name = "supports")
    @Transactional(propagation = Propagation.SUPPORTS)
    public String supports() {
      return "";
    }

    @Failover(name = "mandatory")
    @InTheCallers
    public String mandatory() {
      return "";
    }

    @Failover(name = "new")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public String itsOwn() {
      return "";
    }

    @Failover(name = "nested")
    @Transactional(propagation = Propagation.NESTED)
    public String nested() {
      return "";
    }

    @Failover(name = "never")
    @Transactional(propagation = Propagation.NEVER)
    public String never() {
      return "";
    }

    @Failover(name = "survives")
    @Transactional(noRollbackFor = {IOException.class, RuntimeException.class})
    public String survives() {
      return "";
    }

    @Failover(name = "none")
    public String none() {
      return "";
    }

    @Failover(name = "without-answer")
    @Transactional
    public void withoutAnswer() {}
  }

  @Transactional
  static class Type {
    @Failover(name = "of-the-type")
    public String ofTheType() {
      return "";
    }

    @Failover(name = "of-the-method")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public String ofTheMethod() {
      return "";
    }
  }

  interface Offers {
    @Failover(name = "of-the-interface")
    @Transactional
    String offer();
  }

  static class RemoteOffers implements Offers {
    @Override
    public String offer() {
      return "";
    }
  }

  static class OtherOffers extends RemoteOffers {}

  private static List<String> warnings(Class<?>... beans) {
    try (CapturedLog log = new CapturedLog("failover");
        var context = new AnnotationConfigApplicationContext()) {
      context.register(Beans.class);
      context.register(beans);
      context.refresh();
      return log.messages(Level.WARNING).stream()
          .filter(line -> line.contains("transaction"))
          .map(line -> line.replaceAll(".* name=", ""))
          .toList();
    }
  }

  @Test
  void methodsThatMayTakePartAreNamedWithTheFix() {
    assertThat(warnings(Methods.class))
        .containsExactlyInAnyOrder(
            "required method=Methods#required propagation=REQUIRED",
            "supports method=Methods#supports propagation=SUPPORTS",
            "mandatory method=Methods#mandatory propagation=MANDATORY");
    try (CapturedLog log = new CapturedLog("failover");
        var context = new AnnotationConfigApplicationContext(Beans.class, Type.class)) {
      assertThat(context.getBean(Type.class)).isNotNull();
      assertThat(log.messages(Level.WARNING))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .contains("UnexpectedRollbackException", "REQUIRES_NEW", "of-the-type"));
    }
  }

  @Test
  void theAnnotationOfTheClassCountsWhereTheMethodHasNone() {
    assertThat(warnings(Type.class))
        .containsExactly("of-the-type method=Type#ofTheType propagation=REQUIRED");
  }

  @Test
  void aPointOfSeveralBeansIsNamedOnce() {
    assertThat(warnings(RemoteOffers.class, OtherOffers.class))
        .containsExactly("of-the-interface method=RemoteOffers#offer propagation=REQUIRED");
  }
}
