package holdfast.lease;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MarkWriterTest {
  private static final LeaseTimes TIMES =
      new LeaseTimes(
          Duration.ofMillis(300),
          Duration.ofMillis(100),
          Duration.ofMillis(10),
          Duration.ofMillis(200));

  private static final class Thing extends Lease {
    Thing() {
      super(TimeSource.system().nanoTime(), TimeSource.system().nanoTime());
    }
  }

  private final Set<Thing> inHand = ConcurrentHashMap.newKeySet();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final List<List<String>> batches = new ArrayList<>();
  private final BlockingQueue<String> written = new LinkedBlockingQueue<>();
  private volatile Error error;

  private final Outage outage = new Outage("test", TimeSource.system());

  private final MarkWriter<String, Thing> writer =
      new MarkWriter<>(
          "test",
          new MarkWriter.Target<>() {
            @Override
            public void write(List<String> marks) throws Exception {
              Error fatal = error;
              if (fatal != null) {
                error = null;
                throw fatal;
              }
              if (marks.stream().anyMatch(refused::contains)) {
                throw new Exception("told to fail");
              }
              batches.add(marks);
            }

            @Override
            public void written(String mark) {
              written.add(mark);
              inHand.clear();
              throw new IllegalStateException("trouble of those who are told");
            }

            @Override
            public boolean isUrgent(String mark) {
              return mark.startsWith("!");
            }

            @Override
            public String givenBack(Thing lease) {
              return "given back";
            }
          },
          new LeaseRenewal<>(
              outage,
              TIMES,
              new LeaseRenewal.Hand<>() {
                @Override
                public Collection<Thing> all() {
                  return inHand;
                }

                @Override
                public Set<Thing> renew(List<Thing> leases) {
                  return Set.of();
                }

                @Override
                public void lost(Thing lease) {
                  inHand.remove(lease);
                }
              },
              TimeSource.system()),
          outage,
          TimeSource.system());

  @AfterEach
  void close() throws InterruptedException {
    refused.clear();
    writer.close();
    assertThat(writer.ended().await(30, TimeUnit.SECONDS)).as("ends").isTrue();
  }

  private String next() throws InterruptedException {
    return written.poll(30, TimeUnit.SECONDS);
  }

  @Test
  void writesEveryMark() throws InterruptedException {
    writer.start();
    for (int i = 0; i < 2_000; i++) {
      writer.add("mark " + i);
    }
    for (int i = 0; i < 2_000; i++) {
      assertThat(next()).isEqualTo("mark " + i);
    }
    assertThat(batches).hasSizeLessThan(1_000).allMatch(batch -> batch.size() <= MarkWriter.BATCH);
  }

  @Test
  void oneThatCannotBeWrittenKeepsNobodyAndIsWrittenLater() throws InterruptedException {
    refused.add("bad");
    writer.start();
    writer.add("bad");
    writer.add("!good");
    assertThat(next()).isEqualTo("!good");
    assertThat(writer.backlog()).isPositive();
    refused.clear();
    assertThat(next()).isEqualTo("bad");
  }

  @Test
  void anErrorEndsTheThreadAndNotTheWork() throws InterruptedException {
    error = new StackOverflowError("made up");
    writer.start();
    writer.add("!mark");
    assertThat(next()).isEqualTo("!mark");
  }

  @Test
  void whatWaitsTooLongIsGivenBack() throws InterruptedException {
    inHand.add(new Thing());
    writer.start();
    assertThat(next()).isEqualTo("given back");
  }

  @Test
  void closedItStaysUntilNothingIsInHand() throws InterruptedException {
    Thing running = new Thing();
    running.begin();
    inHand.add(running);
    writer.start();
    writer.close();
    assertThat(writer.ended().await(150, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(writer.offer("late")).isTrue();
    assertThat(next()).isEqualTo("late");
    assertThat(writer.ended().await(30, TimeUnit.SECONDS)).isTrue();
  }
}
