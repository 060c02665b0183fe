package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Failover;
import failover.FailoverCall;
import failover.Failovers;
import failover.observe.internal.FailoverMeter;
import failover.slices.AbstractListPayloadSplitter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a registry shows of answers that are kept in slices. */
class SliceMetersTest {
  record Item(int id) {}

  static class Catalog {
    @Failover(name = "items", payloadSplitter = "byId", pause = "0s")
    public List<Item> items(List<Integer> ids) {
      return ids.stream().map(Item::new).toList();
    }
  }

  static class ById extends AbstractListPayloadSplitter<Item> {
    ById() {
      super(Item.class);
    }

    @Override
    protected List<Object> keyArgsForSlice(FailoverCall<?> call, Item slice) {
      return List.of(slice.id());
    }
  }

  @Test
  void answersWithSlicesMissingAreCountedAndNoOthers() {
    Contexts.meters()
        .withBean(Catalog.class)
        .withBean("byId", ById.class)
        .run(
            context -> {
              Catalog catalog = context.getBean(Catalog.class);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              String partial = FailoverMeter.PARTIAL_RECOVERIES.meterName();
              catalog.items(List.of(1, 2));
              context.getBean(Failovers.class).drill("items", true);
              assertThat(catalog.items(List.of(2, 1))).hasSize(2);
              assertThat(registry.find(partial).meters()).isEmpty();
              assertThat(catalog.items(List.of(1, 2, 3))).hasSize(2);
              assertThat(
                      registry
                          .get("failover.recovery.partial.total")
                          .tags("name", "items", "method", "Catalog#items")
                          .functionCounter()
                          .count())
                  .isEqualTo(1);
            });
  }
}
