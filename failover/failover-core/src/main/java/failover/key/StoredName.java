package failover.key;

import org.jspecify.annotations.Nullable;

/**
 * Under which name answers are kept: the effective name of their point and, where there are
 * tenants, the tenant. Immutable.
 *
 * <p>Stores get it as one text, so that answers of tenants are told apart wherever names are. Where
 * there are no tenants the text is the effective name itself.
 *
 * @param tenant the tenant, or null where there are none
 * @param name the effective name
 */
public record StoredName(@Nullable String tenant, String name) {
  /** Between tenant and name in the text; neither has it. */
  public static final char SEPARATOR = '\u001F';

  /** Returns the text under which a tenant keeps the answers of an effective name. */
  public static String text(String tenant, String name) {
    return tenant + SEPARATOR + name;
  }

  /** Reads a text. */
  public static StoredName parse(String text) {
    return new StoredName(tenant(text), effectiveName(text));
  }

  /** Returns the tenant of a text, or null if it has none. */
  public static @Nullable String tenant(String text) {
    int end = text.indexOf(SEPARATOR);
    return end < 0 ? null : text.substring(0, end);
  }

  /** Returns the effective name of a text. */
  public static String effectiveName(String text) {
    return text.substring(text.indexOf(SEPARATOR) + 1);
  }

  /** Whether a text is that name, or a tenant's text of that effective name. */
  public static boolean isOf(String text, String name) {
    int end = text.length() - name.length() - 1;
    return text.equals(name) || (end >= 0 && text.indexOf(SEPARATOR) == end && text.endsWith(name));
  }

  /** For logs: the effective name and, as another label, the tenant. */
  @Override
  public String toString() {
    return tenant == null ? name : name + " tenant=" + tenant;
  }
}
