package holdfast.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import holdfast.verification.sources.Repository;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The compiled main code of every library module, found on the class path. */
final class MainCode {

  private MainCode() {}

  static JavaClasses imported() {
    return Imported.CLASSES;
  }

  private static List<Location> locations() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of)
        .filter(MainCode::isOurs)
        .map(MainCode::location)
        .toList();
  }

  /** Folders and jars of this build, or jars of this build taken from the local repository. */
  private static boolean isOurs(Path entry) {
    boolean built = entry.startsWith(Repository.here().root());
    boolean installed = entry.toString().contains(Path.of("io", "holdfast").toString());
    String name = entry.getFileName().toString();
    boolean main = !name.equals("test-classes") && !name.endsWith("-tests.jar");
    return (built || installed) && main && Files.exists(entry);
  }

  private static Location location(Path entry) {
    return Files.isDirectory(entry)
        ? Location.of(entry)
        : Location.of(URI.create("jar:" + entry.toUri() + "!/"));
  }

  /** Read once, by the first test that asks. */
  private static final class Imported {
    static final JavaClasses CLASSES = new ClassFileImporter().importLocations(locations());
  }
}
