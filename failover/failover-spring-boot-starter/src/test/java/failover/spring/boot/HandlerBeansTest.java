package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverCall;
import failover.FailoverOutcome.FailureReason;
import failover.Failovers;
import failover.recovery.AbstractFailoverHandler;
import failover.recovery.FailoverHandler;
import failover.spring.boot.Shop.Price;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

/** Handlers of the application in a whole application. */
class HandlerBeansTest {

  /** Keeps nothing but a list of what it was given. */
  private static final class Noting implements FailoverHandler {
    final List<Object> given = new CopyOnWriteArrayList<>();

    @Override
    public <T> boolean store(FailoverCall<T> call, T answer, Duration patience) {
      return given.add(answer);
    }

    @Override
    public <T> Recovery<T> recover(FailoverCall<T> call, Throwable cause, Instant now) {
      return new Recovery.Missing<>(FailureReason.NOTHING_STORED, null);
    }
  }

  /** Counts what goes by. */
  private static final class Passing extends AbstractFailoverHandler {
    final List<Object> seen = new CopyOnWriteArrayList<>();

    Passing(FailoverHandler next) {
      super(next);
    }

    @Override
    public <T> boolean store(FailoverCall<T> call, T answer, Duration patience) {
      seen.add(answer);
      return super.store(call, answer, patience);
    }
  }

  private static int stored(AssertableApplicationContext context) {
    return context.getBean(Failovers.class).stored().entries("price", 10).size();
  }

  @Test
  void aBeanTakesThePlaceOfTheLibrarysOwn() {
    Contexts.shop()
        .withBean(Noting.class, Noting::new)
        .run(
            context -> {
              Price price = context.getBean(Shop.class).price("a");
              assertThat(context.getBean(Noting.class).given).containsExactly(price);
              assertThat(stored(context)).isZero();
            });
  }

  @Test
  void aCustomizerStandsAroundTheBeanOrTheLibrarysOwn() {
    List<Passing> made = new CopyOnWriteArrayList<>();
    FailoverCustomizer around =
        builder ->
            builder.handler(
                own -> {
                  made.add(new Passing(own));
                  return made.get(made.size() - 1);
                });
    Contexts.shop()
        .withBean(FailoverCustomizer.class, () -> around)
        .run(
            context -> {
              Price price = context.getBean(Shop.class).price("a");
              assertThat(made.get(0).seen).containsExactly(price);
              assertThat(stored(context)).isOne();
            });
    Contexts.shop()
        .withBean(FailoverCustomizer.class, () -> around)
        .withBean(Noting.class, Noting::new)
        .run(
            context -> {
              Price price = context.getBean(Shop.class).price("a");
              assertThat(made.get(1).seen).containsExactly(price);
              assertThat(context.getBean(Noting.class).given).containsExactly(price);
            });
  }
}
