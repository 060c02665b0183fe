package eventlog.spring;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * What a {@link LogEvent} says of its method. Immutable.
 *
 * @param process the process; null for that of the caller
 * @param otherwise the name of the process where neither is known
 * @param step the step; null if it is the process
 * @param sequence the step's number, if it has one
 * @param start whether its beginning is logged
 * @param summary what happens, if it was said
 * @param targetSystem the system that is called, if it was said
 * @param originatingSystem the system it began in, if it was said
 */
record LoggedMethod(
    @Nullable String process,
    String otherwise,
    @Nullable String step,
    @Nullable Integer sequence,
    boolean start,
    @Nullable String summary,
    @Nullable String targetSystem,
    @Nullable String originatingSystem) {

  static LoggedMethod of(LogEvent annotation, Class<?> type, Method method) {
    String step = given(annotation.step());
    String named = ClassUtils.getUserClass(type).getSimpleName() + "." + method.getName();
    return new LoggedMethod(
        given(annotation.value()),
        named,
        step,
        annotation.sequence() > 0 ? annotation.sequence() : null,
        step == null || annotation.start(),
        given(annotation.summary()),
        given(annotation.targetSystem()),
        given(annotation.originatingSystem()));
  }

  boolean isStep() {
    return step != null;
  }

  private static @Nullable String given(String text) {
    return text.isBlank() ? null : text;
  }
}
