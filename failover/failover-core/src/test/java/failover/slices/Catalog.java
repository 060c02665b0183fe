package failover.slices;

import failover.FailoverCall;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.TypeRef;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source of items by their ids, and points for it. For one thread. */
public final class Catalog {
  /** An item. */
  public record Item(@Nullable Integer id, String name) {}

  /** Each item is a slice by its id. */
  public static final class Items extends AbstractListPayloadSplitter<Item> {
    /** Splits lists of items. */
    public Items() {
      super(Item.class);
    }

    @Override
    protected List<? extends @Nullable Object> keyArgsForSlice(FailoverCall<?> call, Item slice) {
      return Arrays.<@Nullable Object>asList(slice.id());
    }
  }

  public final IOException down = new IOException("down");
  public int version = 1;
  public boolean isDown;

  /** A point whose calls answer lists of items. */
  public static FailoverSpecBuilder<List<Item>> items(String name) {
    return FailoverSpec.builder(name, new TypeRef<List<Item>>() {})
        .pause(Duration.ZERO, Duration.ZERO);
  }

  /** The item of that id. */
  public Item item(@Nullable Integer id) {
    return new Item(id, "v" + version);
  }

  /** The items of those ids; unknown ones, above 100, are left out. */
  public List<Item> items(List<Integer> ids) throws IOException {
    if (isDown) {
      throw down;
    }
    List<Item> items = new ArrayList<>();
    for (@Nullable Integer id : ids) {
      if (id == null || id <= 100) {
        items.add(item(id));
      }
    }
    return items;
  }

  /** Asks for items. */
  public List<Item> ask(Failovers failovers, FailoverSpec<List<Item>> spec, Integer... ids)
      throws IOException {
    return failovers.call(
        spec, Failovers.args(Arrays.asList(ids)), () -> items(Arrays.asList(ids)));
  }

  /** Asks for items and how fresh they are. */
  public FailoverResult<List<Item>> result(
      Failovers failovers, FailoverSpec<List<Item>> spec, Integer... ids) throws IOException {
    return failovers.callForResult(
        spec, Failovers.args(Arrays.asList(ids)), () -> items(Arrays.asList(ids)));
  }
}
