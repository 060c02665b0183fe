package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Messages.failedStart;
import static holdfast.verification.firsthour.mistakes.Messages.warnedAtStart;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BOOT;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START_LOG;

import holdfast.verification.firsthour.mistakes.Mistake.Library;
import holdfast.verification.firsthour.mistakes.SpringSetups.WithTracer;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import tracer.Tracer;

/** Mistakes with the tracer in an application with Spring Boot. */
final class TracerSpringMistakes {
  private static final String DIRECTORY = "tracer.directory=target/traces";

  private TracerSpringMistakes() {}

  @Import(WithTracer.class)
  static class App {
    @Bean
    Object orders(Tracer tracer) {
      return tracer.index();
    }
  }

  @Import({App.class, MisplacedAnnotations.OnPrivateMethod.class})
  static class PrivateApp {}

  @Import({App.class, MisplacedAnnotations.OnFinalMethod.class})
  static class FinalApp {}

  @Import({App.class, MisplacedAnnotations.OnStaticMethod.class})
  static class StaticApp {}

  @Import({App.class, MisplacedAnnotations.WithBlankName.class})
  static class BlankApp {}

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.TRACER);
    settings(list);
    methods(list);
    return list.all();
  }

  private static void settings(MistakeList list) {
    list.add(
            "Spring: no directory and no sink",
            BOOT,
            () -> failedStart(App.class),
            "a bean wants Tracer",
            "the tracer needs a directory for its files but there is none",
            "set tracer.directory, or define a TraceSink bean")
        .add(
            "Spring: zero rate and a negative time",
            BOOT,
            () -> failedStart(App.class, DIRECTORY, "tracer.peak-rate=0", "tracer.dump-pause=-1s"),
            "the properties of the tracer are out of range",
            "tracer.dump-pause must be zero or more but was PT-1S",
            "tracer.peak-rate must be 1 or more")
        .add(
            "Spring: dump of slow spans without a flight recorder",
            BOOT,
            () -> failedStart(App.class, DIRECTORY, "tracer.dump-when-slower.checkout=2s"),
            "dumpWhenSlower needs a flight recorder",
            "but was set for [checkout] without keepLast",
            "set keepLast, too")
        .add(
            "Spring: mistyped property",
            START_LOG,
            () -> warnedAtStart("holdfast.spring", App.class, DIRECTORY, "tracer.peek-rate=5"),
            "no library knows it, so it has no effect",
            "property 'tracer.peek-rate' is set",
            "the nearest known one is 'tracer.peak-rate'");
  }

  private static void methods(MistakeList list) {
    list.add(
            "Spring: private method annotated",
            START_LOG,
            () -> warnedAtStart("tracer", PrivateApp.class, DIRECTORY),
            "tracer method is not traced",
            "the method is private",
            "make it public")
        .add(
            "Spring: final method annotated",
            START_LOG,
            () -> warnedAtStart("tracer", FinalApp.class, DIRECTORY),
            "tracer method is not traced",
            "the method is final",
            "remove the modifier final")
        .add(
            "Spring: static method annotated",
            START_LOG,
            () -> warnedAtStart("tracer", StaticApp.class, DIRECTORY),
            "tracer method is not traced",
            "the method is static",
            "remove the modifier static")
        .add(
            "Spring: blank name of a span",
            BOOT,
            () -> failedStart(BlankApp.class, DIRECTORY),
            "the name in @Traced for BlankName#pay must",
            "but is ' '",
            "have from 1 to 256 characters, not all blank");
  }
}
