package holdfast.verification.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Time and threads are handed in; only the shared core makes them. */
final class HandedIn {

  private static final Set<String> MAKERS = Set.of("holdfast.time", "holdfast.lifecycle");
  private static final String TESTKIT = "holdfast.testkit";

  static final ArchRule TIME_AND_THREADS_COME_FROM_THE_SHARED_CORE =
      Rules.forbid(
          "clocks, sleeps and new threads are found in the shared time, lifecycle and testkit only",
          type -> mayMakeThem(type) ? Stream.empty() : complaints(type));

  private HandedIn() {}

  static Stream<ArchRule> all() {
    return Stream.of(TIME_AND_THREADS_COME_FROM_THE_SHARED_CORE);
  }

  private static boolean mayMakeThem(JavaClass type) {
    return MAKERS.contains(type.getPackageName()) || House.isBelow(type, TESTKIT);
  }

  /** Calls and method references alike, for {@code Instant::now} asks the clock as well. */
  private static Stream<String> complaints(JavaClass type) {
    return type.getCodeUnitAccessesFromSelf().stream()
        .flatMap(
            access ->
                objectionTo(access).stream()
                    .map(objection -> access.getDescription() + ": " + objection));
  }

  private static Optional<String> objectionTo(JavaCodeUnitAccess<?> access) {
    List<String> parameters =
        access.getTarget().getRawParameterTypes().stream().map(JavaClass::getName).toList();
    return UnwantedCalls.objection(access.getTargetOwner().getName(), access.getName(), parameters);
  }
}
