package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.core.Ordered;

/** Whatever is logged or goes wrong with it, a method returns and throws what it always did. */
class LogEventOutcomesTest extends LogEventFixture {

  @Test
  void whatTheMethodThrowsIsWhatItsCallerGets() {
    run(
        context -> {
          Broken broken = new Broken("out of stock");

          assertThat(catchThrowable(() -> context.getBean(Shop.class).fail(broken)))
              .isSameAs(broken);

          EventLogEntry error = await(context, 2).get(1);
          assertThat(error.eventType()).isEqualTo(EventType.ERROR);
          assertThat(error.eventStatus()).isEqualTo(EventStatus.FAILURE);
          assertThat(error.errorCode()).isEqualTo(Broken.class.getName());
          assertThat(error.errorMessage()).isEqualTo("out of stock");
          assertThat(error.executionTimeMs()).isZero();
          assertThat(MDC.get("correlationId")).isNull();
        });
  }

  @Test
  void anExceptionWhoseMessageCannotBeReadIsAnErrorAllTheSame() {
    run(
        context -> {
          Exception rude =
              new Exception() {
                private static final long serialVersionUID = 1L;

                @Override
                public String getMessage() {
                  throw new IllegalStateException("no");
                }
              };

          assertThat(catchThrowable(() -> context.getBean(Shop.class).fail(rude))).isSameAs(rude);
          assertThat(await(context, 2).get(1).eventType()).isEqualTo(EventType.ERROR);
        });
  }

  @Test
  void aStageIsLoggedWhenItIsComplete() {
    run(
        context -> {
          CompletableFuture<String> shipped = new CompletableFuture<>();
          assertThat(context.getBean(Shop.class).ship(shipped)).isSameAs(shipped);
          assertThat(await(context, 1)).hasSize(1);

          context.getBean(SettableTime.class).advance(Duration.ofSeconds(2));
          shipped.complete("done");
          EventLogEntry end = await(context, 2).get(1);
          assertThat(end.eventType()).isEqualTo(EventType.PROCESS_END);
          assertThat(end.executionTimeMs()).isEqualTo(2000);
          assertThat(end.correlationId())
              .isEqualTo(context.getBean(Api.class).events().get(0).correlationId());
        });
  }

  @Test
  void aStageThatFailsIsAnError() {
    run(
        context -> {
          CompletableFuture<String> shipped = new CompletableFuture<>();
          context.getBean(Shop.class).ship(shipped.thenApply(text -> text));
          shipped.completeExceptionally(new Broken("lost at sea"));

          EventLogEntry error = await(context, 2).get(1);
          assertThat(error.eventType()).isEqualTo(EventType.ERROR);
          assertThat(error.errorCode()).isEqualTo(Broken.class.getName());
        });
  }

  @Test
  void aLoggerThatIsClosedOrFailsChangesNothing() {
    run(
        context -> {
          context.getBean(AsyncEventLogger.class).close();
          assertThat(context.getBean(Shop.class).place()).isEqualTo(3);
          Broken broken = new Broken("out of stock");
          assertThat(catchThrowable(() -> context.getBean(Shop.class).fail(broken)))
              .isSameAs(broken);
        });
  }

  @Test
  void whatGoesWrongWithLoggingIsSaidOnceAndChangesNothing() {
    try (CapturedLog log = new CapturedLog("eventlog")) {
      app()
          .withBean(
              EventLogContext.class,
              () -> {
                throw new IllegalStateException("no context today");
              },
              definition -> definition.setLazyInit(true))
          .run(
              context -> {
                assertThat(context.getBean(Shop.class).place()).isEqualTo(3);
                assertThat(context.getBean(Shop.class).place()).isEqualTo(3);
                assertThat(log.messages(Level.WARNING))
                    .containsOnlyOnce("eventlog @LogEvent not logged");
              });
    }
  }

  /** Stands for a transaction whose commit fails. */
  static BeanNameAutoProxyCreator failingCommits() {
    BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
    creator.setBeanNames("*Shop*");
    creator.setInterceptorNames("commit");
    creator.setProxyTargetClass(true);
    creator.setOrder(Ordered.HIGHEST_PRECEDENCE); // as Spring's own for transactions
    return creator;
  }

  @Test
  void whatOtherAdviceMakesOfTheCallIsWhatIsLogged() {
    app()
        .withBean(
            "commit",
            MethodInterceptor.class,
            () ->
                invocation -> {
                  invocation.proceed();
                  throw new Broken("commit failed");
                })
        .withBean(BeanNameAutoProxyCreator.class, LogEventOutcomesTest::failingCommits)
        .run(
            context -> {
              assertThat(catchThrowable(() -> context.getBean(Shop.class).unnamed()))
                  .hasStackTraceContaining("commit failed");
              assertThat(await(context, 2).get(1).eventType()).isEqualTo(EventType.ERROR);
            });
  }
}
