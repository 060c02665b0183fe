package failover.tenant;

import failover.FailoverSpecBuilder;
import failover.key.StoredName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Under which names tenants keep their answers in a store that they share: the beginning of the
 * effective name, for people, and a hash of tenant and name, so that it fits into the column. Which
 * name stands for which is remembered of the most recent ones. Safe for use by many threads.
 */
final class SharedNames {
  private static final int MOST = 10_000;
  private static final int HASH_BYTES = 16;
  private static final char BEFORE_HASH = '~';
  private static final int BEGINNING = FailoverSpecBuilder.LONGEST_NAME - 2 * HASH_BYTES - 1;

  private final Map<String, String> texts = // by names in the shared store; guarded by itself
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MOST;
        }
      };

  /** The name in the shared store that stands for the text of a stored name. */
  String nameFor(String text) {
    String effectiveName = StoredName.effectiveName(text);
    String name =
        effectiveName.substring(0, Math.min(BEGINNING, effectiveName.length()))
            + BEFORE_HASH
            + hash(text);
    synchronized (texts) {
      texts.put(name, text);
    }
    return name;
  }

  /** The text that a name in the shared store stands for; null if it was not used lately. */
  @Nullable String textOf(String name) {
    synchronized (texts) {
      return texts.get(name);
    }
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256, but this one does not", e);
    }
  }
}
