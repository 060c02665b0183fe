package holdfast.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Names that say nothing about what a class is for. */
final class ClassNames {

  private static final List<String> EMPTY_ENDINGS =
      List.of("Impl", "Utils", "Util", "Helper", "V2", "Elf");

  static final ArchRule NAMES_SAY_SOMETHING =
      Rules.forbid(
          "no class is named after being an implementation, a helper or a second try",
          type ->
              EMPTY_ENDINGS.stream()
                  .filter(type.getSimpleName()::endsWith)
                  .map(ending -> "%s ends in %s".formatted(type.getName(), ending)));

  /** Base classes whose names were there before this library, see docs/adr/0160 and 0180. */
  private static final Set<String> NAMED_BY_CONTRACT =
      Set.of(
          "failover.recovery.AbstractFailoverHandler",
          "failover.slices.AbstractPayloadSplitter",
          "failover.slices.AbstractListPayloadSplitter");

  static final ArchRule ABSTRACT_STAYS_INSIDE =
      Rules.forbid(
          "no public class is named Abstract…",
          type ->
              isPublic(type)
                      && type.getSimpleName().startsWith("Abstract")
                      && !NAMED_BY_CONTRACT.contains(type.getName())
                  ? Stream.of(type.getName() + " is public and named Abstract…")
                  : Stream.empty());

  private ClassNames() {}

  static Stream<ArchRule> all() {
    return Stream.of(NAMES_SAY_SOMETHING, ABSTRACT_STAYS_INSIDE);
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC);
  }
}
