package failover.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import holdfast.testkit.log.CapturedLog;
import java.io.IOException;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Which methods advice reaches, and what an application is told of the others. */
class PlacementTest {

  static class Reached {
    boolean isDown;

    private String answer() throws IOException {
      if (isDown) {
        throw new IOException("down");
      }
      return "live";
    }

    @Failover(name = "package", pause = "0s")
    String ofThePackage() throws IOException {
      return answer();
    }

    @Failover(name = "protected", pause = "0s")
    protected String ofTheFamily() throws IOException {
      return answer();
    }
  }

  static class NotReached {
    @Failover(name = "private")
    private String ofItsOwn() {
      return "";
    }

    public String use() {
      return ofItsOwn();
    }
  }

  static final class Sealed {
    @Failover(name = "final")
    public String answer() {
      return "";
    }
  }

  interface Rates {
    String rate();
  }

  static class RemoteRates implements Rates {
    @Override
    public String rate() {
      return "";
    }

    @Failover(name = "beside")
    public String beside() {
      return "";
    }
  }

  private static AnnotationConfigApplicationContext start(Class<?>... beans) {
    var context = new AnnotationConfigApplicationContext();
    context.register(Beans.class);
    context.register(beans);
    try {
      context.refresh();
      return context;
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  @Test
  void methodsThatAreNotPublicAreReachedThroughTheClass() throws IOException {
    try (CapturedLog log = new CapturedLog("failover");
        var context = start(Reached.class)) {
      Reached reached = context.getBean(Reached.class);
      reached.ofThePackage();
      reached.ofTheFamily();
      Targets.of(reached).isDown = true;
      assertThat(reached.ofThePackage()).isEqualTo("live");
      assertThat(reached.ofTheFamily()).isEqualTo("live");
      assertThat(log.messages(Level.WARNING)).filteredOn(line -> line.contains("reach")).isEmpty();
    }
  }

  @Test
  void aPrivateMethodIsNamed() {
    try (CapturedLog log = new CapturedLog("failover");
        var context = start(NotReached.class)) {
      assertThat(context.getBean(NotReached.class).use()).isEmpty();
      assertThat(log.messages(Level.WARNING))
          .anySatisfy(line -> assertThat(line).contains("name=private", "the method is private"));
    }
  }

  @Test
  void aMethodThatIsInNoInterfaceIsNamedWhereProxiesAreOfInterfaces() {
    try (CapturedLog log = new CapturedLog("failover");
        var context = start(RemoteRates.class)) {
      assertThat(context.getBean(Rates.class).rate()).isEmpty();
      assertThat(log.messages(Level.WARNING))
          .anySatisfy(
              line -> assertThat(line).contains("name=beside", "the method is in no interface"));
    }
  }

  @Test
  void aFinalClassFailsTheStartWithTheRemedy() {
    assertThatThrownBy(() -> start(Sealed.class))
        .rootCause()
        .satisfies(
            cause ->
                assertThat(cause)
                    .isInstanceOf(FailoverScannerException.class)
                    .hasMessageContaining("bean 'placementTest.Sealed' with @Failover of class")
                    .hasMessageContaining(Sealed.class.getName() + " must not be final")
                    .hasMessageContaining("or give it an interface"));
  }
}
