package failover.store.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import failover.store.encryption.UnreadableContentException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AesGcmPayloadCipherTest {
  private static final byte[] CONTENT = "{\"cents\":100}".getBytes(StandardCharsets.UTF_8);
  private static final byte[] PLACE = {1, 2, 3};

  private static String key(int bytes, int seed) {
    byte[] key = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      key[i] = (byte) (seed + i * 7);
    }
    return Base64.getEncoder().encodeToString(key);
  }

  private static Reason reason(PayloadCipher cipher, byte[] encrypted, byte[] place) {
    Throwable thrown = catchThrowable(() -> cipher.decrypt(encrypted, place));
    assertThat(thrown).isInstanceOf(UnreadableContentException.class);
    return ((UnreadableContentException) thrown).reason();
  }

  @Test
  void whatIsEncryptedIsReadAgain() {
    for (int bytes : List.of(16, 24, 32)) {
      PayloadCipher cipher = AesGcmPayloadCipher.of("1", key(bytes, 1));
      assertThat(cipher.decrypt(cipher.encrypt(CONTENT, PLACE), PLACE)).isEqualTo(CONTENT);
      byte[] nothing = {};
      assertThat(cipher.decrypt(cipher.encrypt(nothing, PLACE), PLACE)).isEmpty();
    }
  }

  /** The key id with its length, the check of the key, the nonce, and the tag. */
  @Test
  void anEncryptedContentIsLongerByAFixedLength() {
    byte[] encrypted = AesGcmPayloadCipher.of("1", key(16, 1)).encrypt(CONTENT, PLACE);
    assertThat(encrypted).hasSize(CONTENT.length + 2 + 4 + 12 + 16);
  }

  @Test
  void theSameContentIsEncryptedDifferentlyEachTime() {
    PayloadCipher cipher = AesGcmPayloadCipher.of("1", key(32, 1));
    Set<String> nonces = new HashSet<>();
    Set<String> contents = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      byte[] encrypted = cipher.encrypt(CONTENT, PLACE);
      nonces.add(Arrays.toString(Arrays.copyOfRange(encrypted, 6, 18)));
      contents.add(Arrays.toString(Arrays.copyOfRange(encrypted, 18, encrypted.length)));
    }
    assertThat(nonces).hasSize(1_000);
    assertThat(contents).hasSize(1_000);
  }

  @Test
  void whatWasChangedAnywhereIsRefused() {
    PayloadCipher cipher = AesGcmPayloadCipher.of("1", key(32, 1));
    byte[] encrypted = cipher.encrypt(CONTENT, PLACE);
    for (int i = 0; i < encrypted.length; i++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        byte[] changed = encrypted.clone();
        changed[i] ^= (byte) (1 << bit);
        assertThat(reason(cipher, changed, PLACE))
            .as("byte %d bit %d", i, bit)
            .isIn(expected(i).toArray());
      }
    }
  }

  private static Set<Reason> expected(int changed) {
    if (changed < 2) {
      return Set.of(Reason.UNKNOWN_KEY, Reason.WRONG_KEY, Reason.MALFORMED);
    }
    return Set.of(changed < 6 ? Reason.WRONG_KEY : Reason.TAMPERED);
  }

  @Test
  void whatWasCutOffIsRefused() {
    PayloadCipher cipher = AesGcmPayloadCipher.of("1", key(32, 1));
    byte[] encrypted = cipher.encrypt(CONTENT, PLACE);
    for (int length = 0; length < encrypted.length; length++) {
      assertThat(reason(cipher, Arrays.copyOf(encrypted, length), PLACE))
          .as("length %d", length)
          .isEqualTo(length < 18 + 16 ? Reason.MALFORMED : Reason.TAMPERED);
    }
  }

  @Test
  void whatBelongsToAnotherPlaceIsRefused() {
    PayloadCipher cipher = AesGcmPayloadCipher.of("1", key(32, 1));
    byte[] encrypted = cipher.encrypt(CONTENT, PLACE);
    assertThat(reason(cipher, encrypted, new byte[] {1, 2, 4})).isEqualTo(Reason.TAMPERED);
    assertThat(reason(cipher, encrypted, new byte[] {})).isEqualTo(Reason.TAMPERED);
  }

  @Test
  void severalKeysReadAndOneWrites() {
    AesGcmPayloadCipher old = AesGcmPayloadCipher.of("1", key(16, 1));
    AesGcmPayloadCipher both =
        AesGcmPayloadCipher.of("2", key(32, 2)).withPrevious("1", key(16, 1));
    AesGcmPayloadCipher young = AesGcmPayloadCipher.of("2", key(32, 2));
    byte[] before = old.encrypt(CONTENT, PLACE);
    byte[] now = both.encrypt(CONTENT, PLACE);
    assertThat(both.decrypt(before, PLACE)).isEqualTo(CONTENT);
    assertThat(both.decrypt(now, PLACE)).isEqualTo(CONTENT);
    assertThat(young.decrypt(now, PLACE)).isEqualTo(CONTENT);
    assertThat(reason(young, before, PLACE)).isEqualTo(Reason.UNKNOWN_KEY);
    assertThat(reason(old, now, PLACE)).isEqualTo(Reason.UNKNOWN_KEY);
  }

  @Test
  void anotherKeyOfTheSameIdIsNoticed() {
    byte[] encrypted = AesGcmPayloadCipher.of("1", key(32, 1)).encrypt(CONTENT, PLACE);
    assertThat(reason(AesGcmPayloadCipher.of("1", key(32, 2)), encrypted, PLACE))
        .isEqualTo(Reason.WRONG_KEY);
  }

  @Test
  void keysOfOtherSizesAreRefusedAndNotQuoted() {
    for (int bytes = 0; bytes <= 64; bytes++) {
      if (bytes == 16 || bytes == 24 || bytes == 32) {
        continue;
      }
      String key = key(bytes, 1);
      String message = catchThrowable(() -> AesGcmPayloadCipher.of("1", key)).getMessage();
      assertThat(message)
          .isEqualTo(
              "the key '1' must be 16, 24 or 32 bytes in Base64 but is %d bytes; make one with: openssl rand -base64 32"
                  .formatted(bytes));
    }
  }

  @Test
  void whatIsNotBase64IsRefusedAndNotQuoted() {
    for (String key :
        List.of("secret-secret-secret", "!", "c2VjcmV0c2VjcmV0c2Vj\ncmV0!", "geheim€")) {
      Throwable thrown = catchThrowable(() -> AesGcmPayloadCipher.of("1", key));
      assertThat(thrown)
          .isInstanceOf(IllegalArgumentException.class)
          .hasNoCause()
          .hasMessage(
              "the key '1' must be 16, 24 or 32 bytes in Base64 but is not Base64; make one with:"
                  + " openssl rand -base64 32");
    }
  }

  @Test
  void blanksAroundAKeyDoNotMatter() {
    byte[] encrypted = AesGcmPayloadCipher.of("1", key(32, 1)).encrypt(CONTENT, PLACE);
    assertThat(AesGcmPayloadCipher.of("1", " " + key(32, 1) + "\n").decrypt(encrypted, PLACE))
        .isEqualTo(CONTENT);
  }

  @Test
  void idsOfKeysAreShortAndSimple() {
    for (String id : List.of("", " ", "a b", "a/b", "123456789012345678901234567890123", "ä")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> AesGcmPayloadCipher.of(id, key(32, 1)))
          .withMessageContaining("the id of a key must have 1 to 32 letters");
    }
  }

  @Test
  void twoKeysMustNotHaveOneId() {
    AesGcmPayloadCipher cipher = AesGcmPayloadCipher.of("1", key(32, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cipher.withPrevious("1", key(32, 2)))
        .withMessageContaining("two have '1'");
  }

  @Test
  void nothingOfAKeyIsShown() {
    AesGcmPayloadCipher cipher =
        AesGcmPayloadCipher.of("2", key(32, 2)).withPrevious("1", key(16, 1));
    assertThat(cipher.toString()).isEqualTo("aesgcm writing with the key '2', reading with [2, 1]");
    assertThat(AesKey.of("1", key(16, 1)).toString()).doesNotContain(key(16, 1));
  }

  @Test
  void whatAStrangerWroteAsAnIdIsNotLogged() {
    AesGcmPayloadCipher cipher = AesGcmPayloadCipher.of("1", key(32, 1));
    byte[] strange = new byte[64];
    strange[0] = 2;
    strange[1] = '\n';
    strange[2] = '\r';
    assertThat(catchThrowable(() -> cipher.decrypt(strange, PLACE)))
        .hasMessageContaining("the key id '?' but the keys are [1]");
  }
}
