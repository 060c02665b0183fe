package failover.store.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import failover.store.encryption.UnreadableContentException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PayloadEncryptionTest {
  private static final byte[] CONTENT = "{\"cents\":100}".getBytes(StandardCharsets.UTF_8);
  private static final byte[] PLACE = {1, 2, 3};
  private static final byte[] MAGIC = {(byte) 0xC1, 'H', 'F', 'E'};

  private final PayloadCipher aes =
      AesGcmPayloadCipher.of("1", Base64.getEncoder().encodeToString(new byte[32]));
  private final PayloadEncryption on = PayloadEncryption.with(aes);
  private final PayloadEncryption off = PayloadEncryption.off().reading(aes);

  /** A cipher that fails, with a message that must not be passed on. */
  private record Failing(String id) implements PayloadCipher {
    @Override
    public byte[] encrypt(byte[] content, byte[] place) {
      return content;
    }

    @Override
    public byte[] decrypt(byte[] encrypted, byte[] place) {
      throw new IllegalStateException("quotes the content");
    }
  }

  private static UnreadableContentException refused(PayloadEncryption encryption, byte[] stored) {
    Throwable thrown = catchThrowable(() -> encryption.open(stored, PLACE));
    assertThat(thrown).isInstanceOf(UnreadableContentException.class);
    return (UnreadableContentException) thrown;
  }

  @Test
  void anEnvelopeNamesItsVersionAndCipher() {
    byte[] stored = on.seal(CONTENT, PLACE);
    assertThat(stored).startsWith(0xC1, 'H', 'F', 'E', 1, 6, 'a', 'e', 's', 'g', 'c', 'm', 1, '1');
    assertThat(new String(stored, StandardCharsets.ISO_8859_1)).doesNotContain("cents");
    assertThat(on.open(stored, PLACE)).isEqualTo(CONTENT);
    assertThat(on.writes()).isEqualTo("aesgcm");
  }

  @Test
  void switchedOffPlainContentsAreWrittenAsTheyAreAndEncryptedOnesRead() {
    assertThat(off.seal(CONTENT, PLACE)).isSameAs(CONTENT);
    assertThat(off.open(CONTENT, PLACE)).isSameAs(CONTENT);
    assertThat(off.open(on.seal(CONTENT, PLACE), PLACE)).isEqualTo(CONTENT);
    assertThat(off.writes()).isNull();
  }

  @Test
  void switchedOnPlainContentsStayReadable() {
    assertThat(on.open(off.seal(CONTENT, PLACE), PLACE)).isSameAs(CONTENT);
    byte[] nothing = {};
    assertThat(on.open(off.seal(nothing, PLACE), PLACE)).isEmpty();
  }

  /** Whatever a content begins with, it comes back, whether written or read with encryption. */
  @Test
  void contentThatBeginsLikeAnEnvelopeComesBack() {
    List<byte[]> contents = new ArrayList<>();
    contents.add(MAGIC);
    byte[] sealed = on.seal(CONTENT, PLACE);
    for (int length = 0; length <= sealed.length; length++) {
      contents.add(Arrays.copyOf(sealed, length));
    }
    byte[] escaped = off.seal(MAGIC, PLACE);
    assertThat(escaped).isNotSameAs(MAGIC);
    contents.add(escaped);
    contents.add(off.seal(escaped, PLACE));
    for (byte[] content : contents) {
      for (PayloadEncryption writing : List.of(on, off)) {
        byte[] stored = writing.seal(content, PLACE);
        assertThat(on.open(stored, PLACE)).isEqualTo(content);
        assertThat(off.open(stored, PLACE)).isEqualTo(content);
      }
    }
  }

  @Test
  void anyContentComesBackAndIsNeverTakenForAnother() {
    Random random = new Random(7);
    for (int i = 0; i < 5_000; i++) {
      byte[] content = new byte[random.nextInt(40)];
      random.nextBytes(content);
      int magic = Math.min(content.length, random.nextInt(MAGIC.length + 3));
      System.arraycopy(MAGIC, 0, content, 0, Math.min(magic, MAGIC.length));
      byte[] stored = (random.nextBoolean() ? on : off).seal(content, PLACE);
      assertThat((random.nextBoolean() ? on : off).open(stored, PLACE)).isEqualTo(content);
    }
  }

  @Test
  void anEnvelopeThatWasCutOffOrChangedIsRefused() {
    byte[] stored = on.seal(CONTENT, PLACE);
    for (int length = MAGIC.length; length < stored.length; length++) {
      assertThat(refused(on, Arrays.copyOf(stored, length)).reason())
          .as("length %d", length)
          .isIn(Reason.MALFORMED, Reason.TAMPERED);
    }
    for (int i = MAGIC.length; i < stored.length; i++) {
      byte[] changed = stored.clone();
      changed[i] ^= 1;
      assertThat(refused(on, changed).reason()).as("byte %d", i).isNotEqualTo(Reason.PLAIN);
    }
  }

  @Test
  void anEnvelopeOfALaterVersionIsRefused() {
    byte[] stored = on.seal(CONTENT, PLACE);
    stored[MAGIC.length] = 2;
    assertThat(refused(on, stored).reason()).isEqualTo(Reason.MALFORMED);
  }

  @Test
  void aCipherThatIsNotThereIsNamed() {
    byte[] stored = on.seal(CONTENT, PLACE);
    UnreadableContentException thrown =
        refused(PayloadEncryption.with(new Base64PayloadCipher()), stored);
    assertThat(thrown.reason()).isEqualTo(Reason.UNKNOWN_CIPHER);
    assertThat(thrown)
        .hasMessageContaining("the cipher 'aesgcm' but the ciphers are [b64]; configure");
    assertThat(refused(PayloadEncryption.off(), stored).reason()).isEqualTo(Reason.UNKNOWN_CIPHER);
    stored[6] = '\n';
    assertThat(refused(on, stored)).hasMessageContaining("the cipher '?' but");
  }

  /** The id of the cipher is authenticated: content of one cannot be passed off as another's. */
  @Test
  void theHeaderIsPartOfThePlace() {
    PayloadCipher twin =
        new PayloadCipher() {
          @Override
          public String id() {
            return "aesgcn";
          }

          @Override
          public byte[] encrypt(byte[] content, byte[] place) {
            return aes.encrypt(content, place);
          }

          @Override
          public byte[] decrypt(byte[] encrypted, byte[] place) {
            return aes.decrypt(encrypted, place);
          }
        };
    byte[] stored = on.seal(CONTENT, PLACE);
    stored[11] = 'n';
    assertThat(refused(on.reading(twin), stored).reason()).isEqualTo(Reason.TAMPERED);
  }

  @Test
  void aCipherThatFailsIsNamedAndNotQuoted() {
    PayloadEncryption failing = PayloadEncryption.with(new Failing("own"));
    UnreadableContentException thrown = refused(failing, failing.seal(CONTENT, PLACE));
    assertThat(thrown.reason()).isEqualTo(Reason.CIPHER_FAILED);
    assertThat(thrown)
        .hasNoCause()
        .hasMessage("the cipher 'own' failed with java.lang.IllegalStateException");
  }

  @Test
  void plainContentsMayBeRefused() {
    PayloadEncryption strict = on.reading(new Base64PayloadCipher()).refusingPlain();
    assertThat(strict.open(strict.seal(CONTENT, PLACE), PLACE)).isEqualTo(CONTENT);
    assertThat(refused(strict, CONTENT).reason()).isEqualTo(Reason.PLAIN);
    assertThat(refused(strict, off.seal(MAGIC, PLACE)).reason()).isEqualTo(Reason.PLAIN);
    assertThat(refused(strict.reading(new Failing("x")), CONTENT).reason()).isEqualTo(Reason.PLAIN);
    assertThatIllegalArgumentException().isThrownBy(off::refusingPlain);
  }

  @Test
  void base64IsAnEncoding() {
    PayloadEncryption b64 = PayloadEncryption.with(new Base64PayloadCipher());
    byte[] stored = b64.seal(CONTENT, PLACE);
    assertThat(new String(stored, StandardCharsets.ISO_8859_1))
        .contains(Base64.getEncoder().encodeToString(CONTENT));
    assertThat(b64.open(stored, PLACE)).isEqualTo(CONTENT);
    stored[stored.length - 3] = '!';
    assertThat(refused(b64, stored).reason()).isEqualTo(Reason.TAMPERED);
  }

  @Test
  void idsOfCiphersAreShortAndSimpleAndDiffer() {
    for (String id : List.of("", "A", "a b", "a".repeat(33))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PayloadEncryption.with(new Failing(id)))
          .withMessageContaining("the id of a cipher must have");
    }
    assertThat(PayloadEncryption.with(new Failing("a".repeat(32))).writes()).hasSize(32);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> on.reading(new Failing("aesgcm")))
        .withMessageContaining("two have 'aesgcm'");
  }

  @Test
  void itSaysWhatItDoesAndShowsNoKey() {
    assertThat(on).hasToString("writes aesgcm, reads [aesgcm] and plain");
    assertThat(on.refusingPlain()).hasToString("writes aesgcm, reads [aesgcm]");
    assertThat(PayloadEncryption.off()).hasToString("writes plain, reads [] and plain");
  }

  @Test
  void reasonsHaveCodes() {
    assertThat(Reason.WRONG_KEY.code()).isEqualTo("wrong_key");
  }
}
