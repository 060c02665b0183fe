package holdfast.verification.sources;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file below a folder src.
 *
 * @param path where it is, from the root of the repository, with slashes
 * @param text what it says
 */
public record SourceFile(String path, String text) {

  private static final String MAIN = "/src/main/";
  private static final String MAIN_JAVA = "/src/main/java/";
  private static final String TEST = "/src/test/";

  static SourceFile read(Path root, Path path) throws IOException {
    // Not readString, which refuses binary files; those merely break no rule.
    String text = new String(Files.readAllBytes(root.resolve(path)), StandardCharsets.UTF_8);
    return new SourceFile(path.toString(), text);
  }

  public boolean isJava() {
    return path.endsWith(".java");
  }

  public boolean isMain() {
    return path.contains(MAIN);
  }

  public boolean isTest() {
    return path.contains(TEST);
  }

  public boolean isLibrary() {
    return Repository.LIBRARY_FOLDERS.contains(path.substring(0, path.indexOf('/')));
  }

  String folder() {
    return path.substring(0, path.lastIndexOf('/'));
  }

  String fileName() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The name of the main class this Java file is for. */
  public String className() {
    String inPackage = path.substring(path.indexOf(MAIN_JAVA) + MAIN_JAVA.length());
    return inPackage.substring(0, inPackage.length() - ".java".length()).replace('/', '.');
  }
}
