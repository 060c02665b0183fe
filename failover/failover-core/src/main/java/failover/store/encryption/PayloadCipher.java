package failover.store.encryption;

/**
 * Encrypts the contents of stored answers. Safe for use by many threads; an implementation looks
 * after its keys itself.
 */
public interface PayloadCipher {

  /**
   * Returns the name that is stored with every answer, so that reading finds the cipher: 1 to 32
   * lowercase letters, digits, dots, dashes and underscores. Always the same.
   */
  String id();

  /**
   * Encrypts a content. Two encryptions of the same content must differ.
   *
   * @param content what to encrypt; must not be changed
   * @param place the row that the content belongs to; authenticated but not encrypted
   * @return the encrypted content, with what is needed to decrypt it besides the key
   */
  byte[] encrypt(byte[] content, byte[] place);

  /**
   * Decrypts what {@link #encrypt} has returned.
   *
   * @param encrypted the encrypted content; must not be changed
   * @param place the row that it was found in
   * @return the content
   * @throws UnreadableContentException if the key is not there, or if the encrypted content was
   *     changed, cut off or belongs to another place
   */
  byte[] decrypt(byte[] encrypted, byte[] place);
}
