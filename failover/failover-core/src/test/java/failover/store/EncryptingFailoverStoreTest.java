package failover.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import failover.FailoverSpec;
import failover.Failovers;
import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.ReferentialPayload.Payload;
import failover.store.encryption.AesGcmPayloadCipher;
import failover.store.encryption.Base64PayloadCipher;
import failover.store.encryption.PayloadEncryption;
import failover.store.encryption.UnreadableContentException;
import failover.store.encryption.UnreadableContentException.Reason;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EncryptingFailoverStoreTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String ONE = key(1);
  private static final String TWO = key(2);

  record Price(String sku, int cents) {}

  private static String key(int seed) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) seed);
    return Base64.getEncoder().encodeToString(key);
  }

  private static AesGcmPayloadCipher cipher() {
    return AesGcmPayloadCipher.of("1", ONE);
  }

  /** What the envelope takes: header, id and check of the key, nonce, tag. */
  private static final int ENVELOPE = 4 + 1 + 1 + 6 + 2 + 4 + 12 + 16;

  @Nested
  class InMemory extends FailoverStoreContract {
    @Override
    protected FailoverStore newStore() {
      return new EncryptingFailoverStore(new InMemoryFailoverStore(), cipher());
    }

    @Override
    protected long storedBytes(int content) {
      return content + ENVELOPE;
    }
  }

  @Nested
  class SwitchedOff extends FailoverStoreContract {
    @Override
    protected FailoverStore newStore() {
      return new EncryptingFailoverStore(
          new InMemoryFailoverStore(), PayloadEncryption.off().reading(cipher()));
    }
  }

  @Nested
  class PlainRefused extends FailoverStoreContract {
    @Override
    protected FailoverStore newStore() {
      return new EncryptingFailoverStore(
          new InMemoryFailoverStore(), PayloadEncryption.with(cipher()).refusingPlain());
    }

    @Override
    protected long storedBytes(int content) {
      return content + ENVELOPE;
    }
  }

  /** As in an application: near, behind a queue, unchanged answers skipped, encrypted, as bytes. */
  @Nested
  class BehindNearAndQueue extends FailoverStoreContract {
    private AsyncFailoverStore queue;

    @Override
    protected FailoverStore newStore() {
      queue =
          new AsyncFailoverStore(
              new WriteSkippingFailoverStore(
                  new EncryptingFailoverStore(new BytesStore(), cipher())));
      return new NearFarFailoverStore(new InMemoryFailoverStore(), queue);
    }

    @Override
    protected void settle(FailoverStore store) {
      Eventually.await("all is written", () -> queue.waiting() == 0);
    }

    @Override
    protected long storedBytes(int content) {
      return content + ENVELOPE;
    }
  }

  private final InMemoryFailoverStore table = new InMemoryFailoverStore();
  private final EncryptingFailoverStore store = new EncryptingFailoverStore(table, cipher());

  private static StoreKey place(String name, String arg) {
    return CanonicalKeys.ofText(name, arg);
  }

  private static ReferentialPayload answer(StoreKey key, int version, String content) {
    return answer(
        key, Payload.ofBytes("a.Type", version, content.getBytes(StandardCharsets.UTF_8)));
  }

  private static ReferentialPayload answer(StoreKey key, Payload payload) {
    return new ReferentialPayload(key, NOW, NOW.plusSeconds(3_600), payload);
  }

  private Payload stored(StoreKey key) {
    return table.find(key).orElseThrow().payload();
  }

  private Reason refusal(StoreKey key) {
    Payload found = store.find(key).orElseThrow().payload();
    assertThat(found.isDamaged()).isTrue();
    Throwable thrown = catchThrowable(found::bytes);
    assertThat(thrown).isInstanceOf(UnreadableContentException.class);
    return ((UnreadableContentException) thrown).reason();
  }

  private void swap(StoreKey key, int version, boolean isTombstone, byte[] bytes) {
    Payload flagged =
        isTombstone
            ? Payload.tombstone("a.Type", version)
            : Payload.ofBytes("a.Type", version, new byte[0]);
    table.store(answer(key, flagged.sealed(bytes)));
  }

  @Test
  void whatIsStoredBehindItIsNoPlainTextAndDiffersEachTime() {
    StoreKey key = place("price", "1");
    store.store(answer(key, 1, "a secret"));
    byte[] first = stored(key).bytes();
    String firstHash = stored(key).contentHash();
    store.store(answer(key, 1, "a secret"));
    assertThat(new String(first, StandardCharsets.ISO_8859_1)).doesNotContain("secret");
    assertThat(stored(key).bytes()).isNotEqualTo(first);
    assertThat(stored(key).contentHash()).isNotEqualTo(firstHash);
    assertThat(stored(key).type()).isEqualTo("a.Type");
    assertThat(store.find(key).orElseThrow().payload().bytes()).asString().isEqualTo("a secret");
  }

  @Test
  void whatWasMovedToAnotherRowNameOrVersionIsRefused() {
    StoreKey key = place("price", "1");
    store.store(answer(key, 1, "a"));
    byte[] bytes = stored(key).bytes();
    swap(place("price", "2"), 1, false, bytes);
    assertThat(refusal(place("price", "2"))).isEqualTo(Reason.TAMPERED);
    swap(place("stock", "1"), 1, false, bytes);
    assertThat(refusal(place("stock", "1"))).isEqualTo(Reason.TAMPERED);
    swap(key, 2, false, bytes);
    assertThat(refusal(key)).isEqualTo(Reason.TAMPERED);
    swap(key, 1, true, bytes);
    assertThat(refusal(key)).isEqualTo(Reason.TAMPERED);
    swap(key, 1, false, bytes);
    assertThat(store.find(key).orElseThrow().payload().bytes()).asString().isEqualTo("a");
    assertThat(store.unreadable()).containsEntry(Reason.TAMPERED, 4L);
  }

  @Test
  void namesAndIdsDoNotRunIntoEachOther() {
    StoreKey one = StoreKey.stored("ab", "c");
    store.store(answer(one, 1, "x"));
    StoreKey other = StoreKey.stored("a", "bc");
    swap(other, 1, false, stored(one).bytes());
    assertThat(refusal(other)).isEqualTo(Reason.TAMPERED);
  }

  @Test
  void aTombstoneCannotBeMadeAnAnswerNorCopied() {
    StoreKey key = place("price", "1");
    store.store(answer(key, Payload.tombstone("a.Type", 1)));
    assertThat(stored(key).isTombstone()).isTrue();
    byte[] bytes = stored(key).bytes();
    assertThat(bytes).hasSize(ENVELOPE);
    Payload found = store.find(key).orElseThrow().payload();
    assertThat(found.isTombstone()).isTrue();
    assertThat(found.bytes()).isEmpty();
    swap(key, 1, false, bytes);
    assertThat(refusal(key)).isEqualTo(Reason.TAMPERED);
    swap(place("price", "2"), 1, true, bytes);
    assertThat(refusal(place("price", "2"))).isEqualTo(Reason.TAMPERED);
  }

  @Test
  void whatDoesNotFitItsHashIsCounted() {
    StoreKey key = place("price", "1");
    table.store(answer(key, Payload.ofStored("a.Type", 1, false, new byte[] {1}, "another")));
    assertThat(store.find(key).orElseThrow().payload().isDamaged()).isTrue();
    assertThat(store.unreadable()).containsEntry(Reason.DAMAGED, 1L);
  }

  @Test
  void answersKeptByReferenceStayAsTheyAreWhereNothingIsEncrypted() {
    EncryptingFailoverStore off = new EncryptingFailoverStore(table, PayloadEncryption.off());
    StoreKey key = place("price", "1");
    off.store(answer(key, Payload.ofValue("a.Type", 1, "v", () -> new byte[] {'v'})));
    assertThat(off.find(key).orElseThrow().payload().value()).contains("v");
  }

  @Test
  void copiesNearStayAsTheyAreAndWhatIsFarIsEncrypted() {
    BytesStore far = new BytesStore();
    NearFarFailoverStore both =
        new NearFarFailoverStore(table, new EncryptingFailoverStore(far, cipher()));
    StoreKey key = place("price", "1");
    both.store(answer(key, Payload.ofValue("a.Type", 1, "v", () -> new byte[] {'v'})));
    assertThat(stored(key).value()).contains("v");
    assertThat(far.find(key).orElseThrow().payload().bytes()).hasSize(1 + ENVELOPE);
    table.delete(key);
    assertThat(both.find(key).orElseThrow().payload().bytes()).asString().isEqualTo("v");
    both.close();
  }

  @Test
  void unchangedAnswersAreNotWrittenAgain() {
    WriteSkippingFailoverStore skipping = new WriteSkippingFailoverStore(store);
    StoreKey key = place("price", "1");
    skipping.store(answer(key, 1, "a"));
    byte[] first = stored(key).bytes();
    skipping.store(answer(key, 1, "a"));
    assertThat(skipping.skipped()).isEqualTo(1);
    assertThat(stored(key).bytes()).isSameAs(first);
    skipping.store(answer(key, 1, "b"));
    assertThat(skipping.skipped()).isEqualTo(1);
  }

  /** What cannot be decrypted is not kept near, and written again with the next answer. */
  @Test
  void anUnreadableRowIsReplacedByTheNextAnswerAlsoIfThatIsUnchanged() {
    WriteSkippingFailoverStore skipping = new WriteSkippingFailoverStore(store);
    StoreKey key = place("price", "1");
    skipping.store(answer(key, 1, "a"));
    byte[] bytes = stored(key).bytes();
    bytes[bytes.length - 1] ^= 1;
    assertThat(skipping.find(key).orElseThrow().payload().isDamaged()).isTrue();
    skipping.store(answer(key, 1, "a"));
    assertThat(skipping.find(key).orElseThrow().payload().bytes()).asString().isEqualTo("a");
  }

  @Test
  void rowsOfBothKindsAreReadWhileEncryptionIsSwitchedOnAndOff() {
    EncryptingFailoverStore off =
        new EncryptingFailoverStore(table, PayloadEncryption.off().reading(cipher()));
    StoreKey plain = place("price", "plain");
    StoreKey like = place("price", "like");
    StoreKey encrypted = place("price", "encrypted");
    store.store(answer(encrypted, 1, "e"));
    byte[] envelope = stored(encrypted).bytes();
    off.store(answer(plain, 1, "p"));
    off.store(answer(like, Payload.ofBytes("a.Type", 1, envelope)));
    for (FailoverStore each : List.of(store, off)) {
      assertThat(each.findAll(List.of(plain, like, encrypted)))
          .extracting(it -> it.payload().bytes())
          .containsExactlyInAnyOrder(new byte[] {'p'}, envelope, new byte[] {'e'});
    }
    assertThat(stored(plain).bytes()).asString().isEqualTo("p");
    assertThat(store.unreadable()).isEmpty();
  }

  @Test
  void aKeyIsChangedWithoutLosingWhatIsStored() {
    StoreKey before = place("price", "before");
    StoreKey after = place("price", "after");
    store.store(answer(before, 1, "b"));
    EncryptingFailoverStore both =
        new EncryptingFailoverStore(table, AesGcmPayloadCipher.of("2", TWO).withPrevious("1", ONE));
    both.store(answer(after, 1, "a"));
    assertThat(both.findAll(List.of(before, after)))
        .extracting(it -> new String(it.payload().bytes(), StandardCharsets.UTF_8))
        .containsExactlyInAnyOrder("b", "a");
    assertThat(refusal(after)).isEqualTo(Reason.UNKNOWN_KEY);
  }

  @Test
  void aWrongKeyIsOneLineACounterAndTheCallsOwnException() throws Exception {
    FailoverSpec<Price> spec =
        FailoverSpec.builder("price", Price.class).pause(Duration.ZERO, Duration.ZERO).build();
    try (Failovers before =
        Failovers.builder(new EncryptingFailoverStore(table, cipher())).build()) {
      for (int i = 0; i < 3; i++) {
        int cents = i;
        before.call(spec, List.of(i), () -> new Price("a", cents));
      }
    }
    EncryptingFailoverStore wrong =
        new EncryptingFailoverStore(table, AesGcmPayloadCipher.of("1", TWO));
    IOException down = new IOException("down");
    try (CapturedLog log = new CapturedLog("failover");
        Failovers later = Failovers.builder(wrong).build()) {
      for (int i = 0; i < 3; i++) {
        int key = i;
        assertThatThrownBy(
                () ->
                    later.call(
                        spec,
                        List.of(key),
                        () -> {
                          throw down;
                        }))
            .isSameAs(down);
      }
      assertThat(wrong.unreadable()).containsEntry(Reason.WRONG_KEY, 3L);
      assertThat(later.counts().get("price").unreadable()).isEqualTo(3);
      assertThat(log.messages(Level.WARNING))
          .filteredOn(line -> line.contains("cannot be read"))
          .singleElement()
          .asString()
          .contains("name=price", "another key of the id '1'", "give a new key a new id");
      assertThat(log.lines()).noneMatch(line -> line.contains(ONE) || line.contains(TWO));
    }
  }

  @Test
  void eachReasonIsLoggedOncePerPoint() throws Exception {
    FailoverSpec<Price> spec =
        FailoverSpec.builder("price", Price.class).pause(Duration.ZERO, Duration.ZERO).build();
    StoreKey key = StoreKey.stored("price", CanonicalKeys.of("price", List.of("a")).id());
    EncryptingFailoverStore strict =
        new EncryptingFailoverStore(table, PayloadEncryption.with(cipher()).refusingPlain());
    try (CapturedLog log = new CapturedLog("failover");
        Failovers failovers = Failovers.builder(strict).build()) {
      failovers.call(spec, List.of("a"), () -> new Price("a", 1));
      byte[] good = table.find(key).orElseThrow().payload().bytes();
      for (byte[] bad :
          List.of(new byte[] {'p'}, Arrays.copyOf(good, 10), new byte[] {'q'}, good.clone())) {
        bad[bad.length - 1] ^= 1;
        ReferentialPayload row = table.find(key).orElseThrow();
        table.store(
            new ReferentialPayload(key, row.asOf(), row.expireOn(), row.payload().sealed(bad)));
        assertThatThrownBy(
                () ->
                    failovers.call(
                        spec,
                        List.of("a"),
                        () -> {
                          throw new IOException("down");
                        }))
            .isInstanceOf(IOException.class);
      }
      assertThat(log.messages(Level.WARNING))
          .filteredOn(line -> line.contains("cannot be read"))
          .hasSize(3)
          .anyMatch(line -> line.contains("plain ones are refused"))
          .anyMatch(line -> line.contains("cut off or of another version"))
          .anyMatch(line -> line.contains("belongs to another row"));
    }
  }

  @Test
  void writingInBase64IsWarnedOf() {
    try (CapturedLog log = new CapturedLog("failover")) {
      new EncryptingFailoverStore(
          table, PayloadEncryption.with(cipher()).reading(new Base64PayloadCipher()));
      assertThat(log.messages(Level.WARNING)).isEmpty();
      new EncryptingFailoverStore(table, new Base64PayloadCipher());
      assertThat(log.messages(Level.WARNING))
          .singleElement()
          .asString()
          .contains("failover does NOT encrypt stored answers", "use aesgcm with a key");
    }
  }

  @Test
  void whatIsMadeToExpireHasNoContentLeft() {
    StoreKey key = place("price", "1");
    store.store(answer(key, 1, "a"));
    store.expireAll("price", NOW.plusSeconds(10));
    ReferentialPayload found = store.find(key).orElseThrow();
    assertThat(found.isMadeToExpire()).isTrue();
    assertThat(found.payload().bytes()).isEmpty();
  }
}
