package eventlog.spi;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts without the escapes of JSON and of addresses. Stateless. */
final class Escapes {
  private static final Pattern BACKSLASH = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");
  private static final Pattern PERCENT = Pattern.compile("(?:%[0-9a-fA-F]{2})+");

  private Escapes() {}

  /** The text without both kinds; those that are not well-formed stay. */
  static String undone(String text) {
    String plain = text.indexOf('\\') < 0 ? text : withoutBackslashes(text);
    return plain.indexOf('%') < 0 && plain.indexOf('+') < 0 ? plain : decoded(plain);
  }

  /** The text without backslashes: what they escape is in their place. */
  static String withoutBackslashes(String text) {
    return BACKSLASH.matcher(text).replaceAll(Escapes::character);
  }

  private static String character(MatchResult escaped) {
    String code = escaped.group(1);
    return Matcher.quoteReplacement(
        code == null ? escaped.group(2) : String.valueOf((char) Integer.parseInt(code, 16)));
  }

  private static String decoded(String text) {
    return PERCENT.matcher(text.replace('+', ' ')).replaceAll(Escapes::characters);
  }

  private static String characters(MatchResult escaped) {
    byte[] bytes = HexFormat.of().parseHex(escaped.group().replace("%", ""));
    return Matcher.quoteReplacement(new String(bytes, StandardCharsets.UTF_8));
  }
}
