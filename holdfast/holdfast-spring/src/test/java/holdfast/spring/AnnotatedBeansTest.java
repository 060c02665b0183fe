package holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.spring.AnnotatedBeans.Candidate;
import java.io.IOException;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.Order;

/** Annotated methods of beans are found and called behind every kind of proxy. */
class AnnotatedBeansTest {
  private static final List<String> CALLS = new ArrayList<>();

  /** Marks a method, or a bean. */
  @Retention(RetentionPolicy.RUNTIME)
  @Repeatable(Marks.class)
  @interface Mark {
    String value();
  }

  /** Several. */
  @Retention(RetentionPolicy.RUNTIME)
  @interface Marks {
    Mark[] value();
  }

  interface Shown {
    void listen(String what) throws Exception;
  }

  @Order(7)
  static class Listener implements Shown {
    @Override
    @Mark("one")
    @Mark("two")
    public void listen(String what) throws Exception {
      if (what.equals("fail")) {
        throw new IOException("as it is");
      }
      if (what.equals("error")) {
        throw new AssertionError("also");
      }
      CALLS.add(what);
    }

    @Order(3)
    @Mark("hidden")
    public void hidden(String what) {
      CALLS.add("hidden " + what);
    }
  }

  static class Unmarked {
    void listen(String what) {}
  }

  @Configuration
  static class Plain {
    @Bean
    Listener listener() {
      return new Listener();
    }

    @Bean
    Unmarked unmarked() {
      return new Unmarked();
    }
  }

  @Configuration
  static class ScopedByInterface {
    @Bean
    @Mark("bean")
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
    Listener listener() {
      return new Listener();
    }
  }

  @Configuration
  static class ScopedByClass {
    @Bean
    @Mark("bean")
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Listener listener() {
      return new Listener();
    }
  }

  /** Puts a proxy around every listener. */
  static class Advised extends AbstractBeanFactoryAwareAdvisingPostProcessor {
    private static final long serialVersionUID = 1L;

    Advised(boolean classes) {
      setProxyTargetClass(classes);
      advisor =
          new DefaultPointcutAdvisor(
              (org.aopalliance.intercept.MethodInterceptor) call -> call.proceed());
    }

    @Override
    protected boolean isEligible(Class<?> type) {
      return type.getEnclosingClass() == AnnotatedBeansTest.class
          && !type.isAnnotationPresent(Configuration.class);
    }
  }

  @Configuration
  static class InterfaceProxies extends Plain {
    @Bean
    static BeanPostProcessor proxies() {
      return new Advised(false);
    }
  }

  @Configuration
  static class LateProxies {
    @Bean
    static BeanPostProcessor proxies() {
      return new Advised(false);
    }

    @Bean
    @Lazy
    Listener listener() {
      return new Listener();
    }
  }

  static class Sealed {
    @Mark("final")
    public final void listen(String what) {}

    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by its annotation
    @Mark("private")
    private void whisper(String what) {}
  }

  @Configuration
  static class ClassProxies {
    @Bean
    static BeanPostProcessor proxies() {
      return new Advised(true);
    }

    @Bean
    Sealed sealed() {
      return new Sealed();
    }
  }

  private record Seen(AnnotatedBeans<Mark> scan, Map<String, Candidate> beans) {
    Map<String, Method> methods(String bean) {
      Map<String, Method> methods = new LinkedHashMap<>();
      scan.methodsOf(beans.get(bean)).keySet().forEach(one -> methods.put(one.getName(), one));
      return methods;
    }

    BeanMethod method(String bean, String name) {
      return scan.method(beans.get(bean), methods(bean).get(name));
    }
  }

  private static void look(Class<?> configuration, Consumer<Seen> test) {
    CALLS.clear();
    try (var context = new AnnotationConfigApplicationContext(configuration)) {
      var scan = new AnnotatedBeans<>(context.getBeanFactory(), Mark.class);
      Map<String, Candidate> beans = new LinkedHashMap<>();
      for (Candidate bean : scan.candidates()) {
        assertThat(beans.put(bean.name(), bean)).as("twice").isNull();
      }
      test.accept(new Seen(scan, beans));
    }
  }

  private static void call(BeanMethod method, Object... arguments) {
    try {
      method.call(arguments);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> values(Collection<Mark> marks) {
    return marks.stream().map(Mark::value).toList();
  }

  private static void assertFound(Class<?> configuration) {
    look(
        configuration,
        seen -> {
          assertThat(seen.beans().get("listener").type()).isEqualTo(Listener.class);
          Set<Mark> marks =
              seen.scan()
                  .methodsOf(seen.beans().get("listener"))
                  .get(seen.methods("listener").get("listen"));
          assertThat(values(marks)).containsExactly("one", "two");
          call(seen.method("listener", "listen"), "x");
          assertThat(CALLS).containsExactly("x");
        });
  }

  @Test
  void methodsAreFoundAndCalledBehindEveryKindOfProxy() {
    assertFound(Plain.class);
    assertFound(ScopedByInterface.class);
    assertFound(ScopedByClass.class);
    assertFound(InterfaceProxies.class);
    assertFound(LateProxies.class);
  }

  @Test
  void whatSpeaksOfTheBeanIsFoundBehindTheProxyOfItsScope() {
    for (Class<?> configuration : List.of(ScopedByInterface.class, ScopedByClass.class)) {
      look(
          configuration,
          seen ->
              assertThat(
                      values(seen.scan().annotationsOn(seen.beans().get("listener"), Mark.class)))
                  .containsExactly("bean"));
    }
  }

  @Test
  void theOrderIsTheMethodsOrElseTheClasses() {
    look(
        Plain.class,
        seen -> {
          assertThat(seen.method("listener", "listen").order()).isEqualTo(7);
          assertThat(seen.method("listener", "hidden").order()).isEqualTo(3);
          assertThat(seen.method("listener", "hidden")).asString().contains("Listener.hidden");
        });
  }

  @Test
  void theBeansOwnFailureIsThrownAsItIs() {
    look(
        Plain.class,
        seen -> {
          BeanMethod method = seen.method("listener", "listen");
          assertThatThrownBy(() -> method.call("fail")).isExactlyInstanceOf(IOException.class);
          assertThatThrownBy(() -> method.call("error")).isExactlyInstanceOf(AssertionError.class);
        });
  }

  @Test
  void whatCannotBeCalledThroughTheProxyIsRefusedWithTheWayOut() {
    look(
        ScopedByInterface.class,
        seen ->
            assertThatIllegalArgumentException()
                .isThrownBy(() -> seen.method("listener", "hidden"))
                .withMessageContaining("declare it in an interface of the bean"));
    look(
        ClassProxies.class,
        seen -> {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> seen.method("sealed", "listen"))
              .withMessageContaining("remove the modifier final");
          assertThatIllegalArgumentException()
              .isThrownBy(() -> seen.method("sealed", "whisper"))
              .withMessageContaining("make it public");
        });
  }
}
