package failover;

import static org.assertj.core.api.Assertions.assertThat;

import failover.proxy.FailoverProxies;
import failover.store.InMemoryFailoverStore;
import org.junit.jupiter.api.Test;

/** The application's interfaces need not be public. */
class HiddenInterfaceTest {
  interface Greeter {
    @Failover(name = "greeting")
    String greet(String name);
  }

  @Test
  void anInterfaceOfAnotherPackageIsProtected() {
    Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();
    Greeter greeter = FailoverProxies.protect(failovers, Greeter.class, name -> "Hello " + name);

    assertThat(greeter.greet("you")).isEqualTo("Hello you");
    assertThat(failovers.counts().get("greeting").live()).isOne();
  }
}
