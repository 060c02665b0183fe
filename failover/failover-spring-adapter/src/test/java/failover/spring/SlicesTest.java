package failover.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverCall;
import failover.slices.AbstractListPayloadSplitter;
import failover.slices.PayloadSplitter;
import holdfast.testkit.log.CapturedLog;
import java.io.IOException;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Splitters that are beans. */
class SlicesTest {
  record Item(int id, int version) {}

  static class Catalog {
    private volatile int version = 1;
    private volatile boolean isDown;

    void update() {
      version++;
    }

    void goDown() {
      isDown = true;
    }

    @Failover(name = "items", payloadSplitter = "byId", pause = "0s")
    public List<Item> items(List<Integer> ids) throws IOException {
      if (isDown) {
        throw new IOException("down");
      }
      return ids.stream().map(id -> new Item(id, version)).toList();
    }
  }

  static class Mistaken {
    @Failover(name = "mistaken", payloadSplitter = "byName")
    public List<Item> items(List<Integer> ids) {
      return List.of();
    }
  }

  static class Filtered {
    @Failover(name = "filtered", recoverAll = true)
    public List<Item> items(String filter) {
      return List.of();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Splitters {
    @Bean
    PayloadSplitter<List<Item>, Item> byId() {
      return new AbstractListPayloadSplitter<>(Item.class) {
        @Override
        protected List<Object> keyArgsForSlice(FailoverCall<?> call, Item slice) {
          return List.of(slice.id());
        }
      };
    }
  }

  private static AnnotationConfigApplicationContext start(Class<?> bean) {
    return new AnnotationConfigApplicationContext(Beans.class, Splitters.class, bean);
  }

  @Test
  void slicesOfSeveralCallsAnswerOneThatNobodyHasMadeBefore() throws IOException {
    try (AnnotationConfigApplicationContext context = start(Catalog.class)) {
      Catalog catalog = context.getBean(Catalog.class);
      catalog.items(List.of(1, 2));
      catalog.update();
      catalog.items(List.of(3));
      catalog.goDown();
      assertThat(catalog.items(List.of(3, 1))).containsExactly(new Item(3, 2), new Item(1, 1));
      assertThatThrownBy(() -> catalog.items(List.of(4))).hasMessage("down");
    }
  }

  @Test
  void anUnknownNameFailsTheStartWithTheKnownOnes() {
    assertThatThrownBy(() -> start(Mistaken.class))
        .isInstanceOf(FailoverScannerException.class)
        .hasMessageContaining(
            "payloadSplitter of failover 'mistaken' must be one of [byId] but was 'byName'");
  }

  @Test
  void recoverAllWithoutASplitterIsAWarning() {
    try (CapturedLog log = new CapturedLog("failover")) {
      start(Filtered.class).close();
      assertThat(log.messages(Level.WARNING))
          .singleElement()
          .asString()
          .contains("recoverAll has no effect without a payloadSplitter", "name=filtered");
    }
  }
}
