package eventlog.spi;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks fields in a text that people read, such as the message of an error. What follows a name and
 * {@code =} or {@code :} is its value: to the end of the quotes it stands in, else to the next
 * {@code &} or the end of the line. A name alone is a word. Where it is not clear where a value
 * ends, everything after the name is masked. Safe for use by many threads.
 */
final class FreeTextRedaction {
  private static final Pattern PARAMETER = Pattern.compile("([^?&;#=\\s]+)=([^&;#\\s]*)");

  private final FieldNames names;
  private final TextRedaction json;

  FreeTextRedaction(FieldNames names, TextRedaction json) {
    this.names = names;
    this.json = json;
  }

  /** The text as others may see it; the same object if nothing is to be hidden. */
  String redact(String text) {
    String start = text.stripLeading();
    if (start.startsWith("{")) {
      return json.payload(text);
    }
    if (start.startsWith("[")) {
      String masked = json.payload(text);
      if (!masked.equals(Redaction.MASK)) {
        return masked;
      }
    }
    if (text.indexOf('\\') >= 0) {
      String plain = Escapes.withoutBackslashes(text);
      return maskValues(maskParameters(plain)).equals(plain) ? text : Redaction.MASK;
    }
    return maskValues(maskParameters(text));
  }

  /** Masks parameters of an address whose names are written with escapes of their own. */
  private String maskParameters(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    return PARAMETER
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    isName(found.group(1))
                        ? found.group(1) + "=" + Redaction.MASK
                        : found.group()));
  }

  private boolean isName(String encoded) {
    try {
      return names.has(URLDecoder.decode(encoded, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return false; // no escapes after all
    }
  }

  private String maskValues(String text) {
    Matcher name = names.beforeValues(text);
    if (!name.find()) {
      return text;
    }
    StringBuilder masked = new StringBuilder();
    int from = 0;
    do {
      int value = name.end();
      if (text.charAt(value - 1) == '>') {
        return Redaction.MASK; // an element of XML
      }
      if (name.start() >= from) { // else it is in a value that is masked already
        masked.append(text, from, value);
        from = mask(text, value, masked);
      }
    } while (name.find());
    return masked.append(text, from, text.length()).toString();
  }

  /** Appends what stands for a value; gives where the value ends. */
  private static int mask(String text, int from, StringBuilder masked) {
    if (from == text.length()) {
      return from;
    }
    char first = text.charAt(from);
    if (first == '"' || first == '\'') {
      int end = text.indexOf(first, from + 1);
      masked.append(first).append(Redaction.MASK).append(end < 0 ? "" : first);
      return end < 0 ? text.length() : end + 1;
    }
    masked.append(Redaction.MASK);
    if (first == '{' || first == '[') {
      return text.length();
    }
    int end = from;
    while (end < text.length() && "&\r\n".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return end;
  }
}
