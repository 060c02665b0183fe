package tracer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.threads.Eventually;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tracer.sink.MemorySink.Seen;

/** Kinds of events that the user has excluded are not recorded, others are. */
class ExclusionsTest extends TracerFixture {
  private static final TraceEvent QUERY = TraceEvent.named("sql.query");
  private static final TraceEvent COMMIT = TraceEvent.named("sql.commit");
  private static final TraceEvent SQL = TraceEvent.named("sql");
  private static final TraceEvent SQLITE = TraceEvent.named("sqlite.query");

  private static void recordOneOfEach(Tracer tracer) {
    for (TraceEvent event : new TraceEvent[] {STEP, QUERY, COMMIT, SQL, SQLITE}) {
      tracer.index().record(event, 1, 2);
      tracer.index().record(event, 1, 2, 3);
      tracer.detail().record(event, "x");
    }
  }

  @Test
  void byCategoryAndByName() throws InterruptedException {
    Tracer tracer =
        started(settings -> settings.exclude(Exclusions.none().category("sql").name("test.step")));
    recordOneOfEach(tracer);
    flush(tracer);

    assertThat(sink.events()).hasSize(3).extracting(Seen::name).containsOnly("sqlite.query");
    assertThat(balanced(tracer).accepted()).isEqualTo(3);
  }

  @Test
  void criticalEventsAreRecordedInAnyCase() throws InterruptedException {
    Tracer tracer = started(settings -> settings.exclude(Exclusions.none().name(CRASH.name())));
    assertThat(tracer.critical().record(CRASH, "why")).isTrue();
    flush(tracer);

    assertThat(sink.texts(Lane.CRITICAL)).containsExactly("why");
  }

  @Test
  void theyMayBeChangedBackAndForth() throws InterruptedException {
    Tracer tracer = started();
    assertThat(tracer.exclusions()).isEqualTo(Exclusions.none());
    recordOneOfEach(tracer);
    tracer.exclude(Exclusions.none().category("sql").category("sqlite").category("test"));
    recordOneOfEach(tracer);
    TraceEvent named = TraceEvent.named("sql.named.later");
    tracer.index().record(named, 1, 2);
    tracer.exclude(Exclusions.none().name("sql.commit"));
    tracer.index().record(named, 1, 2);
    tracer.index().record(COMMIT, 1, 2);
    assertThat(tracer.exclusions()).isEqualTo(Exclusions.none().name("sql.commit"));
    tracer.exclude(Exclusions.none());
    tracer.index().record(COMMIT, 1, 2);
    flush(tracer);

    assertThat(balanced(tracer).accepted()).isEqualTo(17);
    assertThat(sink.events(Lane.INDEX).subList(10, 12))
        .extracting(Seen::name)
        .containsExactly("sql.named.later", "sql.commit");
  }

  @Test
  void threadsThatRecordSeeTheChange() throws InterruptedException {
    Tracer tracer = started();
    AtomicBoolean stopping = new AtomicBoolean();
    AtomicLong turns = new AtomicLong();
    Thread recording =
        new Thread(
            () -> {
              while (!stopping.get()) {
                tracer.index().record(STEP, 1, 2);
                turns.incrementAndGet();
              }
            });
    recording.start();
    try {
      Eventually.await("it records", () -> tracer.ledger().accepted() > 100_000);
      tracer.exclude(Exclusions.none().category("test"));
      Eventually.await(
          "it does not record any more",
          () -> {
            long accepted = tracer.ledger().accepted();
            long before = turns.get();
            Eventually.await("it goes on", () -> turns.get() > before + 1000);
            return tracer.ledger().accepted() == accepted;
          });
    } finally {
      stopping.set(true);
      recording.join();
    }
  }

  @Test
  void nullsAreRefused() {
    Tracer tracer = stopped();
    assertThatThrownBy(() -> tracer.exclude(null)).hasMessageContaining("exclusions");
    assertThatThrownBy(() -> Exclusions.none().name(null)).hasMessageContaining("name");
    assertThatThrownBy(() -> Exclusions.none().category(null)).hasMessageContaining("category");
    assertThatThrownBy(() -> stopped(settings -> settings.exclude(null)))
        .hasMessageContaining("exclusions");
  }

  @Test
  void theCategoryIsTheNameUpToTheFirstDot() {
    assertThat(TraceEvent.named("sql.query.slow").category()).isEqualTo("sql");
    assertThat(SQL.category()).isEqualTo("sql");
  }
}
