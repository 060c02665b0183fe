package holdfast.verification.architecture;

import static java.util.Comparator.reverseOrder;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Java sources in a test, to be compiled and shown to a rule. Immutable. */
final class Sources {

  private final List<JavaFileObject> files;

  private Sources(List<JavaFileObject> files) {
    this.files = files;
  }

  /** One source, named by its path as in {@code outbox/spi/EventStore.java}. */
  static Sources of(String path, String text) {
    return new Sources(List.of()).and(path, text);
  }

  Sources and(String path, String text) {
    return new Sources(
        Stream.concat(files.stream(), Stream.of(new SourceText(path, text))).toList());
  }

  /** What the rule says about the compiled sources, one line for each violation. */
  List<String> breaking(ArchRule rule) {
    return rule.evaluate(compile()).getFailureReport().getDetails();
  }

  JavaClasses compile() {
    try {
      Path folder = Files.createTempDirectory("sources");
      try {
        compileInto(folder);
        return new ClassFileImporter().importPath(folder);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compiles and leaves the class files in the folder. */
  void compileInto(Path folder) {
    StringWriter messages = new StringWriter();
    List<String> options = List.of("--release", "17", "-proc:none", "-d", folder.toString());
    boolean compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(messages, null, null, options, null, files)
            .call();
    if (!compiled) {
      throw new IllegalArgumentException("the sources must compile but: " + messages);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static final class SourceText extends SimpleJavaFileObject {
    private final String text;

    SourceText(String path, String text) {
      super(URI.create("string:///" + path), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
