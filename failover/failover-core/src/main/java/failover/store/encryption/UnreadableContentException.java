package failover.store.encryption;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The content of a stored answer cannot be read. The answer counts as missing. The message names no
 * key and no content.
 */
public final class UnreadableContentException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** Why, and what to do about it. */
  public UnreadableContentException(Reason reason, String message) {
    this(reason, message, null);
  }

  /** Why, what to do about it, and what was thrown first. */
  public UnreadableContentException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Returns why the content cannot be read. */
  public Reason reason() {
    return reason;
  }

  /** Why a content cannot be read. */
  public enum Reason {
    /** The envelope names a cipher that is not there. */
    UNKNOWN_CIPHER,
    /** The envelope names a key that is not there. */
    UNKNOWN_KEY,
    /** The key of that id is another one than the one the content was encrypted with. */
    WRONG_KEY,
    /** The content was changed, or belongs to another row or version. */
    TAMPERED,
    /** The envelope is cut off, or of a version that is not known. */
    MALFORMED,
    /** The content is not encrypted, and plain ones are refused. */
    PLAIN,
    /** The content does not fit the hash that was stored with it. */
    DAMAGED,
    /** The cipher failed. */
    CIPHER_FAILED;

    /** Returns the name in meters and log lines, such as {@code wrong_key}. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
