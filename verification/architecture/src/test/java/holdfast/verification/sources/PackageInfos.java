package holdfast.verification.sources;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.TreePath;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds folders of main sources whose package is not described or not null-marked. */
final class PackageInfos {

  private static final String PACKAGE_INFO = "package-info.java";
  private static final String MODULE_INFO = "module-info.java";

  private PackageInfos() {}

  /** One line for each folder that lacks something. */
  static List<String> missing(List<SourceFile> files) {
    Map<String, List<SourceFile>> byFolder =
        files.stream()
            .filter(file -> file.isMain() && file.isJava())
            .filter(file -> !file.fileName().equals(MODULE_INFO))
            .collect(groupingBy(SourceFile::folder, TreeMap::new, toList()));
    return byFolder.entrySet().stream()
        .flatMap(entry -> missing(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Stream<String> missing(String folder, List<SourceFile> files) {
    List<SourceFile> infos =
        files.stream().filter(file -> file.fileName().equals(PACKAGE_INFO)).toList();
    return infos.isEmpty()
        ? Stream.of("%s: has no %s".formatted(folder, PACKAGE_INFO))
        : ParsedFile.parse(infos).stream().flatMap(PackageInfos::missing);
  }

  private static Stream<String> missing(ParsedFile info) {
    CompilationUnitTree unit = info.unit();
    Stream<String> mark =
        isNullMarked(unit)
            ? Stream.empty()
            : Stream.of("%s: has no @NullMarked".formatted(info.file().path()));
    Stream<String> text =
        info.hasJavadoc(new TreePath(new TreePath(unit), unit.getPackage()))
            ? Stream.empty()
            : Stream.of("%s: has no Javadoc".formatted(info.file().path()));
    return Stream.concat(mark, text);
  }

  private static boolean isNullMarked(CompilationUnitTree unit) {
    return unit.getPackageAnnotations().stream()
        .map(annotation -> annotation.getAnnotationType().toString())
        .anyMatch(type -> type.equals("NullMarked") || type.endsWith(".NullMarked"));
  }
}
