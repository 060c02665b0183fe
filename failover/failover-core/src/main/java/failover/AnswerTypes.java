package failover;

import failover.types.TypeVariables;
import holdfast.problems.Problems;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Says which types no answer may be of, whatever writes it. Stateless. */
final class AnswerTypes {
  private AnswerTypes() {}

  static void check(Problems problems, String what, @Nullable Type type) {
    if (type == null) {
      problems.require(false, what, "be a type", null);
      return;
    }
    problems
        .require(
            !TypeVariables.areIn(type),
            what,
            "say what its type variables stand for, as in List<Price>,",
            type.getTypeName())
        .require(
            !ResultTypes.areWithin(type),
            what,
            "not contain FailoverResult, whose recovered answers would say that they are up to date;"
                + " have the method return FailoverResult<Price> itself, or answers without it and"
                + " ask FailoverOutcome.last(),",
            type.getTypeName())
        .require(
            !LazyTypes.contains(type),
            what,
            "be that of an answer, not of a publisher that is asked later: annotate a method that"
                + " gives a CompletionStage, or use callLater(spec, args, () -> mono.toFuture());"
                + " collect a Flux into a list before,",
            type.getTypeName());
  }
}
