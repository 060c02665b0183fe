package holdfast.verification.reference;

import holdfast.ledger.Reason;
import holdfast.verification.sources.Repository;
import holdfast.verification.sources.SourceFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The page of all meters, properties and reasons, made from the code. Stateless. */
final class Reference {
  private static final String METADATA = "META-INF/spring-configuration-metadata.json";
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  /** An enum of a file's own, or, with two blanks before it, one nested in the file's type. */
  private static final Pattern ENUM =
      Pattern.compile("(?m)^(  )?(?:public )?enum (\\w+)( implements Reason)?");

  private Reference() {}

  static String text() {
    List<SourceFile> sources =
        Repository.here().sourceFiles().stream()
            .filter(file -> file.isJava() && file.isMain() && file.isLibrary())
            .toList();
    return """
        # Reference

        Every meter, property and reason of all libraries. Made from the code; a test compares them. Threads and locks are on
        [a page of their own](concurrency.md).

        ## Meters

        | name | of | what it shows |
        |---|---|---|
        """
        + rows(meters(sources))
        + """

        ## Properties of the Spring Boot starters

        A property that no library knows is named at the start, with the nearest one that is known. Environment variables are not checked, since their
        names do not tell dots from dashes.

        | name | default | meaning |
        |---|---|---|
        """
        + rows(properties())
        + """

        ## Reasons

        Why an event is lost: accepted = delivered + held + lost[reason].

        | code | of |
        |---|---|
        """
        + rows(reasons(sources));
  }

  private static String rows(Iterable<String> rows) {
    return String.join("", rows);
  }

  private static TreeSet<String> meters(List<SourceFile> sources) {
    TreeSet<String> rows = new TreeSet<>();
    for (Map.Entry<String, SourceFile> entry : enums(sources, "").entrySet()) {
      if (entry.getKey().endsWith("Meter")) {
        for (Object meter : constants(entry.getKey())) {
          rows.add(
              "| `%s` | %s | %s |%n"
                  .formatted(
                      said(meter, "meterName"),
                      room(entry.getValue()),
                      said(meter, hasSentence(meter) ? "sentence" : "description")));
        }
      }
    }
    return rows;
  }

  private static TreeSet<String> reasons(List<SourceFile> sources) {
    TreeSet<String> rows = new TreeSet<>();
    for (Map.Entry<String, SourceFile> entry : enums(sources, " implements Reason").entrySet()) {
      for (Object reason : constants(entry.getKey())) {
        rows.add("| `%s` | %s |%n".formatted(((Reason) reason).code(), room(entry.getValue())));
      }
    }
    return rows;
  }

  private static TreeSet<String> properties() {
    TreeSet<String> rows = new TreeSet<>();
    for (JsonNode property : metadata()) {
      String type = property.path("sourceType").asString("");
      if (type.matches("(outbox|eventbus|eventlog|failover|tracer)\\..*")) {
        JsonNode value = property.path("defaultValue");
        rows.add(
            "| `%s` | %s | %s |%n"
                .formatted(
                    property.path("name").asString(),
                    value.isMissingNode() ? "" : "`" + value.asString(value.toString()) + "`",
                    property.path("description").asString("")));
      }
    }
    return rows;
  }

  private static List<JsonNode> metadata() {
    List<JsonNode> properties = new ArrayList<>();
    try {
      for (URL file : Collections.list(Reference.class.getClassLoader().getResources(METADATA))) {
        try (InputStream in = file.openStream()) {
          new ObjectMapper().readTree(in).path("properties").forEach(properties::add);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }

  private static Map<String, SourceFile> enums(List<SourceFile> sources, String ending) {
    Map<String, SourceFile> found = new TreeMap<>();
    for (SourceFile source : sources) {
      Matcher type = ENUM.matcher(source.text());
      while (type.find()) {
        if ((type.group(3) == null ? "" : type.group(3)).startsWith(ending)) {
          found.put(packageOf(source) + outer(source, type) + type.group(2), source);
        }
      }
    }
    return found;
  }

  private static String packageOf(SourceFile source) {
    Matcher declared = PACKAGE.matcher(source.text());
    return declared.find() ? declared.group(1) + "." : "";
  }

  private static String outer(SourceFile source, Matcher type) {
    String file = source.path().substring(source.path().lastIndexOf('/') + 1);
    return type.group(1) == null ? "" : file.substring(0, file.indexOf('.')) + "$";
  }

  private static Object[] constants(String type) {
    try {
      return Class.forName(type).getEnumConstants();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(type + " must be on the class path of this module", e);
    }
  }

  private static boolean hasSentence(Object meter) {
    for (Method method : meter.getClass().getMethods()) {
      if (method.getName().equals("sentence")) {
        return true;
      }
    }
    return false;
  }

  private static String said(Object meter, String method) {
    try {
      return String.valueOf(meter.getClass().getMethod(method).invoke(meter));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("meters must have " + method + "() but not so " + meter, e);
    }
  }

  private static String room(SourceFile source) {
    return source.path().substring(0, source.path().indexOf('/'));
  }
}
