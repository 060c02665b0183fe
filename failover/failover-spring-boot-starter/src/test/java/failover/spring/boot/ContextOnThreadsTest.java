package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverOutcome.Kind;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.execution.ContextPropagator;
import failover.key.StoreKey;
import failover.key.StoredName;
import failover.observe.FailoverLifecycleListener;
import failover.observe.ObservablePublisher;
import failover.store.FailoverStore;
import failover.store.InMemoryFailoverStore;
import failover.store.ReferentialPayload;
import failover.tenant.TenantContext;
import failover.tenant.Tenants;
import holdfast.testkit.threads.Together;
import io.micrometer.context.ContextRegistry;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/** What hangs on the thread of a caller hangs on every thread on which its call goes on. */
@Timeout(120)
class ContextOnThreadsTest {
  private static final ThreadLocal<String> TRACE = new ThreadLocal<>();
  private static final String NOTHING = "null null null null";
  private static final int CALLERS = 64;

  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicInteger> looked = new ConcurrentHashMap<>();

  @BeforeEach
  void register() {
    ContextRegistry.getInstance().registerThreadLocalAccessor("trace", TRACE);
  }

  @AfterEach
  void clear() {
    ContextRegistry.getInstance().removeThreadLocalAccessor("trace");
    set(null);
    RequestContextHolder.resetRequestAttributes();
  }

  private static void set(String who) {
    if (who == null) {
      MDC.clear();
      TRACE.remove();
      SecurityContextHolder.clearContext();
    } else {
      MDC.put("who", who);
      TRACE.set(who);
      SecurityContextHolder.getContext()
          .setAuthentication(new TestingAuthenticationToken(who, "none"));
    }
  }

  private static String seen() {
    Authentication user = SecurityContextHolder.getContext().getAuthentication();
    return String.join(
        " ",
        String.valueOf(MDC.get("who")),
        String.valueOf(TRACE.get()),
        String.valueOf(TenantContext.current()),
        String.valueOf(user == null ? null : user.getName()));
  }

  /** Of the caller that has the point; every fourth has nothing. */
  private static String expected(String point) {
    String who = whoHas(Integer.parseInt(point.substring(point.lastIndexOf('-') + 1)));
    return who == null ? NOTHING : String.join(" ", who, who, who, who);
  }

  private static String whoHas(int number) {
    return number % 4 == 0 ? null : "c" + number;
  }

  private void look(String place, String point) {
    looked.computeIfAbsent(place, it -> new AtomicInteger()).incrementAndGet();
    if (!seen().equals(expected(point))) {
      wrong.add(place + " at " + point + " saw " + seen() + " on " + Thread.currentThread());
    }
  }

  /** Looks what was there before and after. */
  private ContextPropagator watched(ContextPropagator target) {
    return task -> {
      Runnable carried = target.wrap(task);
      return () -> {
        String before = seen();
        if (Thread.currentThread().getName().startsWith("failover-") && !before.equals(NOTHING)) {
          wrong.add("left behind " + before);
        }
        try {
          carried.run();
        } finally {
          if (!seen().equals(before)) {
            wrong.add("not put back " + seen() + " but " + before);
          }
        }
      };
    };
  }

  /** A store that is taken to be far away, and looks. */
  private final class LookingStore implements FailoverStore {
    private final InMemoryFailoverStore memory = new InMemoryFailoverStore();

    @Override
    public void store(ReferentialPayload answer) {
      look("write", StoredName.effectiveName(answer.key().name()));
      memory.store(answer);
    }

    @Override
    public void delete(StoreKey key) {
      memory.delete(key);
    }

    @Override
    public int deleteAll(String name) {
      return memory.deleteAll(name);
    }

    @Override
    public int expireAll(String name, Instant now) {
      return memory.expireAll(name, now);
    }

    @Override
    public Optional<ReferentialPayload> find(StoreKey key) {
      look("read", StoredName.effectiveName(key.name()));
      return memory.find(key);
    }

    @Override
    public List<StoredEntry> entries(String name, int limit) {
      return memory.entries(name, limit);
    }

    @Override
    public long cleanByExpiry(Instant cutoff) {
      return memory.cleanByExpiry(cutoff);
    }
  }

  private final FailoverLifecycleListener listener =
      new FailoverLifecycleListener() {
        @Override
        public void upstream(FailoverSpec<?> spec, boolean answered, long nanos) {
          look("listener", spec.name());
        }

        @Override
        public void ended(FailoverSpec<?> spec, Kind kind, boolean gotValue) {
          look("listener", spec.name());
        }
      };

  private Failovers failovers(ContextPropagator propagator) {
    ObservablePublisher publisher = event -> look("publisher", event.name());
    return Failovers.builder(new LookingStore())
        .tenants(Tenants.of(TenantContext.resolver()).withDefault("none"))
        .contextPropagator(watched(propagator))
        .lifecycleListener(listener)
        .publisher(publisher)
        .recoveredPayloadHandler(
            new failover.recovery.RecoveredPayloadHandler() {
              @Override
              public <T> T handle(failover.FailoverCall<T> call, T payload, Throwable cause) {
                look("handler", call.spec().name());
                return payload;
              }
            })
        .readTimeout(Duration.ofSeconds(60))
        .build();
  }

  private static FailoverSpecBuilder<String> point(String name) {
    return FailoverSpec.builder(name, String.class).pause(Duration.ZERO, Duration.ZERO);
  }

  @Test
  void isThatOfTheCallerAndNothingIsLeftBehind() throws Exception {
    Contexts.bare()
        .withPropertyValues("failover.store.multitenant.enabled=true")
        .run(
            context -> {
              ContextPropagator propagator = context.getBean(Parts.class).contextPropagator();
              ExecutorService stages = Executors.newFixedThreadPool(4);
              try (Failovers failovers = failovers(propagator)) {
                AtomicInteger next = new AtomicInteger();
                Together.runAll(CALLERS, () -> call(failovers, stages, next.getAndIncrement()));
              } finally {
                stages.shutdown();
                assertThat(stages.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
              }
            });
    assertThat(wrong).isEmpty();
    assertThat(looked.keySet())
        .containsExactlyInAnyOrder(
            "source", "late source", "read", "write", "listener", "publisher", "handler", "stage");
    assertThat(looked.get("late source")).hasValue(CALLERS);
    assertThat(looked.get("publisher").get()).isGreaterThan(10 * CALLERS);
  }

  private void call(Failovers failovers, ExecutorService stages, int number) throws Exception {
    String who = whoHas(number);
    try (TenantContext.Scope scope = who == null ? TenantContext.none() : TenantContext.open(who)) {
      assertThat(scope).isNotNull();
      set(who);
      timed(failovers, "timed-" + number);
      leftBehind(failovers, "late-" + number);
      later(failovers, stages, "later-" + number);
      assertThat(seen()).isEqualTo(expected("-" + number));
    } finally {
      set(null);
    }
  }

  /** On a thread of its own: answers, exceptions and errors, one after the other. */
  private void timed(Failovers failovers, String name) throws Exception {
    FailoverSpec<String> spec = point(name).hardTimeout(Duration.ofSeconds(60)).build();
    for (int i = 0; i < 3; i++) {
      failovers.call(
          spec,
          List.of("a"),
          () -> {
            look("source", name);
            MDC.put("who", "left behind"); // what sources do to their threads
            TRACE.set("left behind");
            SecurityContextHolder.clearContext();
            return "answer";
          });
      String recovered =
          failovers.call(
              spec,
              List.of("a"),
              () -> {
                look("source", name);
                throw new IOException("down");
              });
      assertThat(recovered).isEqualTo("answer");
      assertThatThrownBy(
              () ->
                  failovers.call(
                      spec,
                      List.of("a"),
                      () -> {
                        look("source", name);
                        throw new StackOverflowError("of the source");
                      }))
          .isInstanceOf(StackOverflowError.class);
    }
  }

  /** Its caller has left with a stored answer when the source answers. */
  private void leftBehind(Failovers failovers, String name) throws Exception {
    FailoverSpec<String> spec =
        point(name).softTimeout(Duration.ofMillis(5)).hardTimeout(Duration.ofSeconds(60)).build();
    failovers.call(spec, List.of("a"), () -> "answer");
    CountDownLatch left = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    String stored =
        failovers.call(
            spec,
            List.of("a"),
            () -> {
              left.await();
              look("late source", name);
              ended.countDown();
              return "late";
            });
    assertThat(stored).isEqualTo("answer");
    left.countDown();
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
  }

  /** Its stage ends on a thread of the application, which has a context of its own. */
  private void later(Failovers failovers, ExecutorService stages, String name) throws Exception {
    FailoverSpec<String> spec = point(name).build();
    for (String answer : new String[] {"answer", null}) {
      CompletableFuture<String> source = new CompletableFuture<>();
      CompletableFuture<String> given = failovers.callLater(spec, List.of("a"), () -> source);
      CompletableFuture<Void> after = given.thenRun(() -> look("stage", name));
      CompletableFuture<String> own =
          CompletableFuture.supplyAsync(
              () -> {
                set("stage");
                boolean isFirst =
                    answer == null
                        ? source.completeExceptionally(new IOException("down"))
                        : source.complete(answer);
                assertThat(isFirst).isTrue();
                String left = seen();
                set(null);
                return left;
              },
              stages);
      assertThat(own.get()).isEqualTo("stage stage null stage");
      assertThat(given.get()).isEqualTo("answer");
      after.get();
    }
    CompletableFuture<String> broken = new CompletableFuture<>();
    CompletableFuture<String> given = failovers.callLater(spec, List.of("a"), () -> broken);
    stages.submit(() -> broken.completeExceptionally(new StackOverflowError("later"))).get();
    assertThatThrownBy(given::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StackOverflowError.class);
  }

  @Test
  void requestAttributesGoAlongOnlyIfAskedFor() {
    for (boolean isAskedFor : new boolean[] {true, false}) {
      Contexts.bare()
          .withPropertyValues("failover.context.request-attributes=" + isAskedFor)
          .run(
              context -> {
                ContextPropagator propagator = context.getBean(Parts.class).contextPropagator();
                RequestAttributes request =
                    (RequestAttributes)
                        Proxy.newProxyInstance(
                            getClass().getClassLoader(),
                            new Class<?>[] {RequestAttributes.class},
                            (proxy, method, args) -> null);
                RequestContextHolder.setRequestAttributes(request);
                Boolean[] hasIt = new Boolean[1];
                Runnable task =
                    propagator.wrap(
                        () -> hasIt[0] = RequestContextHolder.getRequestAttributes() == request);
                RequestContextHolder.resetRequestAttributes();
                task.run();
                assertThat(hasIt[0]).isEqualTo(isAskedFor);
                assertThat(RequestContextHolder.getRequestAttributes()).isNull();
              });
    }
  }

  @Test
  void aBeanOfThatNameReplacesAllOfIt() {
    ContextPropagator own = task -> task;
    Contexts.bare()
        .withBean("contextPropagator", ContextPropagator.class, () -> own)
        .run(context -> assertThat(context.getBean(Parts.class).contextPropagator()).isSameAs(own));
  }

  @Test
  void whoLogsOutMeanwhileDoesNotLogOutTheCall() {
    SecurityContextPropagator propagator = new SecurityContextPropagator();
    SecurityContextHolder.getContext()
        .setAuthentication(new TestingAuthenticationToken("ann", "none"));
    String[] user = new String[1];
    Runnable task =
        propagator.wrap(
            () -> user[0] = SecurityContextHolder.getContext().getAuthentication().getName());
    SecurityContextHolder.getContext().setAuthentication(null);
    task.run();
    assertThat(user[0]).isEqualTo("ann");
    assertThat(SecurityContextHolder.getContext().getAuthentication()).isNull();
  }
}
