package holdfast.verification.reference;

import holdfast.verification.sources.Repository;
import holdfast.verification.sources.SourceFile;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of everything that applications can use of outbox and event bus. Immutable. */
final class ApiPage {
  private static final Pattern EXPORTS = Pattern.compile("(?m)^  exports ([\\w.]+);");
  private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");
  private static final Set<String> OF_EVERY_ENUM = Set.of("values", "valueOf");

  /** The members of each public type, sorted. */
  private final Map<String, Set<String>> members = new TreeMap<>();

  private final Set<String> frozen;

  /**
   * Reads the classes.
   *
   * @param frozen members that never change, each with its type: {@code outbox.spi.TxContext
   *     boolean isTransactionActive()}
   */
  ApiPage(Set<String> frozen) {
    this.frozen = frozen;
    List<SourceFile> sources =
        Repository.here().sourceFiles().stream()
            .filter(file -> file.isJava() && file.isMain())
            .filter(file -> file.path().matches("(outbox|eventbus)/[^/]*(core|jdbc|adapter)/.*"))
            .toList();
    Set<String> exported = new TreeSet<>();
    for (SourceFile file : sources) {
      Matcher exports =
          EXPORTS.matcher(file.path().endsWith("module-info.java") ? file.text() : "");
      while (exports.find()) {
        exported.add(exports.group(1));
      }
    }
    for (SourceFile file : sources) {
      String name = file.className();
      if (!name.endsWith("-info") && exported.contains(packageOf(name))) {
        add(classNamed(name));
      }
    }
  }

  private static String packageOf(String name) {
    return name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : "";
  }

  private static Class<?> classNamed(String name) {
    try {
      return Class.forName(name, false, ApiPage.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("class " + name + " must be on the class path", e);
    }
  }

  private void add(Class<?> type) {
    if (!isVisible(type.getModifiers())) {
      return;
    }
    Set<String> texts = new TreeSet<>();
    Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods(), type.getDeclaredFields())
        .flatMap(Arrays::stream)
        .map(Member.class::cast)
        .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
        .filter(member -> !isOfEvery(type, member))
        .forEach(member -> texts.add(text(type, member)));
    members.put(type.getCanonicalName(), texts);
    Arrays.stream(type.getDeclaredClasses()).forEach(this::add);
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static boolean isOfEvery(Class<?> type, Member member) {
    return member instanceof Method
        && (OF_EVERY_OBJECT.contains(member.getName())
            || type.isEnum() && OF_EVERY_ENUM.contains(member.getName()));
  }

  private static String text(Class<?> type, Member member) {
    if (member instanceof Field field) {
      return field.isEnumConstant()
          ? field.getName()
          : simple(field.getGenericType()) + " " + field.getName();
    }
    String parameters =
        Arrays.stream(((Executable) member).getGenericParameterTypes())
            .map(ApiPage::simple)
            .collect(Collectors.joining(", ", "(", ")"));
    if (member instanceof Constructor<?>) {
      return type.getSimpleName() + parameters;
    }
    return simple(((Method) member).getGenericReturnType()) + " " + member.getName() + parameters;
  }

  private static String simple(Type type) {
    return type.getTypeName().replaceAll("[\\w.]+[.$](?=\\w)", "");
  }

  /** Returns the frozen members that are not there, or not as they were. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (String entry : frozen) {
      int space = entry.indexOf(' ');
      Set<String> found = members.getOrDefault(entry.substring(0, space), Set.of());
      if (!found.contains(entry.substring(space + 1))) {
        missing.add(entry);
      }
    }
    return missing;
  }

  /** Returns the page. */
  String text() {
    StringBuilder page =
        new StringBuilder(
            """
            # Public API of outbox and event bus

            Every public type of the packages that the modules `outbox-core`, `outbox-jdbc`, `outbox-spring-adapter` and `eventbus-core` export, with
            its members. Made from the code; a test compares them. Members in **bold** are frozen: another test fails if one of them is removed or
            changed. All others may change until the first release.

            | type | members |
            |---|---|
            """);
    members.forEach(
        (type, texts) -> page.append("| `%s` | %s |%n".formatted(type, cell(type, texts))));
    return page.toString();
  }

  private String cell(String type, Set<String> texts) {
    return texts.stream()
        .map(text -> frozen.contains(type + " " + text) ? "**`" + text + "`**" : "`" + text + "`")
        .map(text -> text.replace("|", "\\|"))
        .collect(Collectors.joining(", "));
  }
}
