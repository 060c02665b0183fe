package failover.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverCall;
import failover.FailoverResult;
import failover.FailoverResult.Freshness;
import failover.FailoverSpec;
import failover.Failovers;
import failover.Referential;
import failover.TypeRef;
import failover.slices.Catalog.Item;
import failover.slices.Catalog.Items;
import failover.store.CountingStore;
import failover.store.FailoverStoreException;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** What slices cost at their store, and what becomes of them where it fails. */
class SliceStoreTest {
  private final SettableTime time = new SettableTime();
  private final CountingStore store = new CountingStore();
  private final Catalog catalog = new Catalog();
  private final FailoverSpec<List<Item>> items =
      Catalog.items("items").payloadSplitter(new Items()).build();
  private final Failovers failovers = Failovers.builder(store).time(time).build();

  @Test
  void storingIsOneWriteAndRecoveringOneRead() throws IOException {
    catalog.ask(failovers, items, 1, 2, 3, 1);
    assertThat(store.operations).containsExactly("storeAll 3");
    catalog.isDown = true;
    store.operations.clear();
    catalog.ask(failovers, items, 3, 2, 1, 3, 9);
    assertThat(store.operations).containsExactly("findAll 4");
  }

  @Test
  void soItIsFarAwayAndWhatIsNearIsEnough() throws IOException {
    store.isFar = true;
    catalog.ask(failovers, items, 1, 2, 3);
    assertThat(store.operations).containsExactly("storeAll 3");
    catalog.isDown = true;
    store.operations.clear();
    assertThat(catalog.ask(failovers, items, 1, 2)).hasSize(2);
    assertThat(store.operations).containsExactly("findAll 2");
    store.operations.clear();
    store.hasCopies = true;
    assertThat(catalog.ask(failovers, items, 1, 2)).hasSize(2);
    assertThat(store.operations).isEmpty();
    assertThat(catalog.ask(failovers, items, 1, 9)).hasSize(1);
    assertThat(store.operations).containsExactly("findAll 2");
  }

  @Test
  void copiesThatAreTooOldAreLookedForBehindInOneRead() throws IOException {
    catalog.ask(failovers, items, 1, 2, 3);
    time.advance(Duration.ofMinutes(30));
    catalog.ask(failovers, items, 3);
    time.advance(Duration.ofMinutes(31));
    catalog.isDown = true;
    store.operations.clear();
    assertThat(catalog.ask(failovers, items, 1, 2, 3)).hasSize(1);
    assertThat(store.operations).containsExactly("findAll 3", "findAllBehind 2");
  }

  @Test
  void aStoreThatFailsDoesNotHurtTheCall() throws IOException {
    store.isBroken = true;
    assertThat(catalog.ask(failovers, items, 1)).hasSize(1);
    catalog.isDown = true;
    assertThatThrownBy(() -> catalog.ask(failovers, items, 1)).isSameAs(catalog.down);
    assertThatThrownBy(() -> failovers.call(items, List.of(), () -> catalog.items(List.of())))
        .isSameAs(catalog.down);
    assertThat(failovers.counts().get("items").storeFailures()).isEqualTo(1);
    assertThat(failovers.ledger().lostByReason()).containsEntry("store_failed", 2L);
    assertThatThrownBy(() -> failovers.forget(items, List.of(List.of(1))))
        .isInstanceOf(FailoverStoreException.class);
  }

  /** A slice that knows how fresh it is, and of which not every one can be kept. */
  static final class Note extends Referential {
    private static final long serialVersionUID = 1;

    public int id;
    public Number amount = 1;

    static Note of(int id, Number amount) {
      Note note = new Note();
      note.id = id;
      note.amount = amount;
      return note;
    }
  }

  /** Notes by their ids. */
  private static final class Notes extends AbstractListPayloadSplitter<Note> {
    Notes() {
      super(new TypeRef<Note>() {});
    }

    @Override
    protected List<Object> keyArgsForSlice(FailoverCall<?> call, Note slice) {
      return List.of(slice.id);
    }
  }

  private final FailoverSpec<List<Note>> notes =
      FailoverSpec.builder("notes", new TypeRef<List<Note>>() {})
          .payloadSplitter(new Notes())
          .build();

  private FailoverResult<List<Note>> recovered() throws IOException {
    return failovers.callForResult(
        notes,
        List.of(List.of(1, 2)),
        () -> {
          throw catalog.down;
        });
  }

  @Test
  void aSliceThatCannotBeKeptKeepsNoOtherFromBeingStored() throws IOException {
    try (CapturedLog log = new CapturedLog("failover")) {
      failovers.call(
          notes, List.of(List.of(1, 2)), () -> List.of(Note.of(1, (short) 5), Note.of(2, 5)));
      assertThat(log.messages(Level.WARNING)).singleElement().asString().contains("name=notes");
    }
    assertThat(failovers.counts().get("notes").storeFailures()).isEqualTo(1);
    assertThat(failovers.counts().get("notes").stored()).isEqualTo(1);
    FailoverResult<List<Note>> result = recovered();
    assertThat(result.freshnessOf(1)).isEqualTo(Freshness.MISSING);
    assertThat(result.freshnessOf(2)).isEqualTo(Freshness.STALE);
  }

  @Test
  void slicesThatWantToKnowAreToldHowFreshTheyAre() throws IOException {
    Note first = Note.of(1, 1);
    failovers.call(notes, List.of(List.of(1)), () -> List.of(first));
    assertThat(first.upToDate()).isTrue();
    time.advance(Duration.ofSeconds(5));
    failovers.call(notes, List.of(List.of(2)), () -> List.of(Note.of(2, 1)));
    List<Note> stale = recovered().value();
    assertThat(stale).extracting(Note::upToDate).containsExactly(false, false);
    assertThat(stale)
        .extracting(Note::asOf)
        .containsExactly(SettableTime.START, SettableTime.START.plusSeconds(5));
    assertThat(first.upToDate()).isTrue();
  }

  @Test
  void anArgumentThatAllowsNoKeyCostsItsSliceAlone() throws IOException {
    FailoverSpec<List<Item>> odd =
        Catalog.items("odd")
            .payloadSplitter(new Items())
            .keyGenerator(
                (spec, args) -> {
                  if (args.get(0).equals(2)) {
                    throw new IllegalArgumentException("no key");
                  }
                  return "item-" + args.get(0);
                })
            .build();
    assertThat(catalog.ask(failovers, odd, 1, 2, 3)).hasSize(3);
    catalog.isDown = true;
    assertThat(catalog.ask(failovers, odd, 1, 2, 3))
        .containsExactly(catalog.item(1), catalog.item(3));
    assertThat(failovers.counts().get("odd").unkeyable()).isPositive();
  }

  @Test
  void whatElseTheApplicationThrowsCostsNobodyAnAnswer() throws IOException {
    FailoverSpec<List<Item>> choosy =
        Catalog.items("choosy")
            .payloadSplitter(new Items())
            .keepIf(
                answer -> {
                  throw new IllegalStateException("choosy");
                })
            .build();
    assertThat(catalog.ask(failovers, choosy, 1)).hasSize(1);
    assertThat(failovers.counts().get("choosy").storeFailures()).isEqualTo(1);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }
}
