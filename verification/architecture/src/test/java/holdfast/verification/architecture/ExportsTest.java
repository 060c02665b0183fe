package holdfast.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.io.File;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How much of a module is API: the public types of packages that it exports to everybody. */
class ExportsTest {
  private static final String FAILOVER = "io.holdfast.failover";

  /**
   * The types that docs/adr/0104, 0150, 0160, 0170 and 0180 give reasons for; a further one needs
   * one as well.
   */
  private static final int MOST_OF_FAILOVER = 58;

  /** Those nested in them, which are met only by way of the type around them; the same. */
  private static final int MOST_NESTED_IN_FAILOVER = 40;

  @Test
  void failoverExportsNoMoreTypesThanThereAreReasonsFor() {
    List<JavaClass> exported = exportedTypes(FAILOVER);
    assertThat(exported).filteredOn(JavaClass::isTopLevelClass).hasSizeBetween(1, MOST_OF_FAILOVER);
    assertThat(exported)
        .filteredOn(type -> !type.isTopLevelClass())
        .hasSizeBetween(1, MOST_NESTED_IN_FAILOVER);
  }

  @Test
  void whatFailoverExportsMentionsNothingThatItHides() {
    Set<String> exported = names(exportedTypes(FAILOVER));
    Set<String> own = names(MainCode.imported().stream().toList());
    assertThat(exportedTypes(FAILOVER).stream().flatMap(ExportsTest::mentioned))
        .filteredOn(mention -> own.contains(mention.type) && isOfFailover(mention.type))
        .allSatisfy(mention -> assertThat(exported).as(mention.where).contains(mention.type));
  }

  /** A type in the signature of a member. */
  private record Mention(String where, String type) {}

  private static Stream<Mention> mentioned(JavaClass type) {
    return Stream.concat(
        type.getMembers().stream()
            .filter(ExportsTest::isApi)
            .flatMap(
                member -> types(member).map(it -> new Mention(member.getFullName(), it.getName()))),
        type.getInterfaces().stream()
            .flatMap(it -> it.getAllInvolvedRawTypes().stream())
            .map(it -> new Mention(type.getName(), it.getName())));
  }

  private static boolean isApi(JavaMember member) {
    return member.getModifiers().contains(JavaModifier.PUBLIC)
        || member.getModifiers().contains(JavaModifier.PROTECTED);
  }

  private static Stream<JavaClass> types(JavaMember member) {
    Stream<JavaType> types =
        member instanceof JavaCodeUnit unit
            ? Stream.of(
                    Stream.of(unit.getReturnType()),
                    unit.getParameterTypes().stream(),
                    unit.getExceptionTypes().stream())
                .flatMap(it -> it)
            : Stream.of(((JavaField) member).getType());
    return types.flatMap(it -> it.getAllInvolvedRawTypes().stream());
  }

  private static boolean isOfFailover(String type) {
    return type.startsWith("failover.");
  }

  private static Set<String> names(List<JavaClass> types) {
    return types.stream().map(JavaClass::getName).collect(Collectors.toSet());
  }

  private static List<JavaClass> exportedTypes(String module) {
    Set<String> packages =
        descriptor(module).exports().stream()
            .filter(exported -> !exported.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    return MainCode.imported().stream()
        .filter(type -> packages.contains(type.getPackageName()))
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .filter(ExportsTest::isPublic)
        .toList();
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && !type.isAnonymousClass()
        && type.getEnclosingClass().map(ExportsTest::isPublic).orElse(true);
  }

  private static ModuleDescriptor descriptor(String module) {
    Path[] entries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> entry.contains("failover-core"))
            .map(Path::of)
            .toArray(Path[]::new);
    return ModuleFinder.of(entries).find(module).map(ModuleReference::descriptor).orElseThrow();
  }
}
