package eventlog.appender;

import holdfast.problems.Problems;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The texts of a configuration, read as what they stand for. Confined to one call. */
final class SettingTexts {
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,18})\\s*([A-Za-z]*)");

  /** What Logback and Log4j leave where a variable is not defined. */
  private static final Pattern UNDEFINED = Pattern.compile("\\$\\{[^}]*}|\\S+_IS_UNDEFINED");

  private static final Map<String, Duration> TIMES = new HashMap<>();
  private static final Map<String, Long> SIZES = new HashMap<>();

  static {
    unit(TIMES, Duration.ofMillis(1), "ms", "millisecond", "milliseconds");
    unit(TIMES, Duration.ofSeconds(1), "s", "second", "seconds");
    unit(TIMES, Duration.ofMinutes(1), "m", "min", "minute", "minutes");
    unit(TIMES, Duration.ofHours(1), "h", "hour", "hours");
    unit(SIZES, 1L, "", "b", "bytes");
    unit(SIZES, 1L << 10, "k", "kb", "kib");
    unit(SIZES, 1L << 20, "m", "mb", "mib");
    unit(SIZES, 1L << 30, "g", "gb", "gib");
  }

  private final Map<String, String> texts;
  private final Problems problems;

  SettingTexts(Map<String, String> texts, Problems problems) {
    this.texts = texts;
    this.problems = problems;
    texts.forEach(this::checkDefined);
  }

  private void checkDefined(String name, String text) {
    Matcher undefined = UNDEFINED.matcher(text);
    if (undefined.find()) {
      problems.add(
          "%s must have a value but its variable is not defined, found '%s'; define the variable"
              .formatted(name, undefined.group()));
    }
  }

  private static <T> void unit(Map<String, T> units, T size, String... names) {
    Arrays.stream(names).forEach(name -> units.put(name, size));
  }

  @Nullable String text(String name) {
    String text = texts.get(name);
    return text == null || text.isBlank() ? null : text.strip();
  }

  String text(String name, String otherwise) {
    String text = text(name);
    return text == null ? otherwise : text;
  }

  /** The text of a setting that must be there; empty if it is not, which is noted. */
  String required(String name, String fix) {
    String text = text(name);
    if (text == null) {
      problems.add(name + " must be set but is missing; " + fix);
    }
    return text == null ? "" : text;
  }

  void number(String name, IntConsumer setter) {
    Integer number = number(name);
    if (number != null) {
      setter.accept(number);
    }
  }

  int number(String name, int otherwise) {
    Integer number = number(name);
    return number == null ? otherwise : number;
  }

  @Nullable Integer number(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return Integer.valueOf(text.replace("_", ""));
    } catch (NumberFormatException e) {
      problems.require(false, name, "be a whole number", text);
      return null;
    }
  }

  void size(String name, LongConsumer setter) {
    String text = text(name);
    if (text == null) {
      return;
    }
    Matcher amount = AMOUNT.matcher(text.replace("_", ""));
    Long unit = amount.matches() ? SIZES.get(amount.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit == null || Long.parseLong(amount.group(1)) > Long.MAX_VALUE / unit) {
      problems.require(false, name, "be a number, with B, KiB, MiB or GiB if it is bytes,", text);
    } else {
      setter.accept(Long.parseLong(amount.group(1)) * unit);
    }
  }

  void time(String name, Consumer<Duration> setter) {
    Duration time = time(name);
    if (time != null) {
      setter.accept(time);
    }
  }

  @Nullable Duration time(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      Matcher amount = AMOUNT.matcher(text.replace("_", ""));
      Duration unit = amount.matches() ? TIMES.get(amount.group(2).toLowerCase(Locale.ROOT)) : null;
      return unit == null
          ? Duration.parse(text)
          : unit.multipliedBy(Long.parseLong(amount.group(1)));
    } catch (DateTimeException | ArithmeticException e) {
      problems.require(false, name, "be a time such as 500 ms, 10 s or PT10S", text);
      return null;
    }
  }

  boolean truth(String name, boolean otherwise) {
    String text = text(name, Boolean.toString(otherwise));
    boolean known = text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
    problems.require(known, name, "be true or false", text);
    return text.equalsIgnoreCase("true");
  }

  <E extends Enum<E>> void choice(String name, Class<E> type, Consumer<E> setter) {
    String text = text(name);
    if (text == null) {
      return;
    }
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(text)) {
        setter.accept(constant);
        return;
      }
    }
    problems.require(false, name, "be one of " + Arrays.toString(type.getEnumConstants()), text);
  }

  void path(String name, Consumer<Path> setter) {
    String text = text(name);
    if (text == null) {
      return;
    }
    try {
      setter.accept(Path.of(text));
    } catch (InvalidPathException e) {
      problems.require(false, name, "be the path of a directory", text);
    }
  }

  /** The address; that of nobody if there is none, which is noted. */
  URI address(String name, String fix) {
    String text = required(name, fix);
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      problems.require(false, name, "be an address such as https://events.example.com", text);
      return URI.create("");
    }
  }

  List<String> list(String name) {
    return Arrays.stream(text(name, "").split(",", -1))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .toList();
  }
}
