package failover.spring;

import failover.Failover;
import failover.FailoverScanner;
import failover.FailoverSpec;
import failover.proxy.AnnotatedPoints.AnnotatedPoint;
import failover.proxy.AnnotatedPoints.AnnotatedPoint.Shape;
import holdfast.log.LibraryLogger;
import holdfast.spring.AdvicePlacement;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Looks at every bean once all are there, builds all points and says what is wrong with them: what
 * cannot work fails the start, all of it at once; what will surprise somebody is a warning. Safe
 * for use by many threads.
 */
public final class SpringContextFailoverScanner
    implements FailoverScanner, SmartInitializingSingleton {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final ConfigurableListableBeanFactory beans;
  private final FailoverMethods methods;
  private final boolean adviceExpected;
  private final Map<String, FailoverSpec<?>> found = new ConcurrentSkipListMap<>();
  private final Map<String, Set<String>> beansOf = new ConcurrentSkipListMap<>();

  /**
   * A scanner.
   *
   * @param beans where to look
   * @param methods builds the points
   * @param adviceExpected whether annotated beans should have the advice around them
   */
  public SpringContextFailoverScanner(
      ConfigurableListableBeanFactory beans, FailoverMethods methods, boolean adviceExpected) {
    this.beans = beans;
    this.methods = methods;
    this.adviceExpected = adviceExpected;
  }

  @Override
  public Optional<FailoverSpec<?>> findFailoverByName(String name) {
    return Optional.ofNullable(found.get(name));
  }

  @Override
  public List<FailoverSpec<?>> findAllFailover() {
    return List.copyOf(found.values());
  }

  /**
   * Looks at all beans.
   *
   * @throws FailoverScannerException if annotations do not fit
   */
  @Override
  public void afterSingletonsInstantiated() {
    Set<String> problems = new LinkedHashSet<>();
    for (String name : beans.getBeanDefinitionNames()) {
      Class<?> type = typeOf(name);
      if (type != null) {
        scan(name, type, problems);
      }
    }
    if (!problems.isEmpty()) {
      throw new FailoverScannerException(new ArrayList<>(problems));
    }
    warnOfDomains();
    warnOfSharedPoints();
  }

  private @Nullable Class<?> typeOf(String name) {
    if (ScopedProxyUtils.isScopedTarget(name)) {
      return null;
    }
    Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
    Class<?> user = type == null ? null : ClassUtils.getUserClass(type);
    return user == null || !AnnotationUtils.isCandidateClass(user, Failover.class) ? null : user;
  }

  private void scan(String bean, Class<?> type, Set<String> problems) {
    Map<Method, Failover> annotated =
        MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<@Nullable Failover>)
                method ->
                    DeclaredFailover.of(AopUtils.getMostSpecificMethod(method, type), type)
                        .map(DeclaredFailover::annotation)
                        .orElse(null));
    boolean isAny = false;
    for (Method method : annotated.keySet()) {
      try {
        Optional<AnnotatedPoint> point =
            methods.pointOf(AopUtils.getMostSpecificMethod(method, type), type);
        if (point.isPresent()) {
          isAny = true;
          add(type, method, point.get(), bean);
        }
      } catch (IllegalArgumentException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    if (isAny && adviceExpected) {
      checkChain(bean, type);
    }
  }

  private void add(Class<?> type, Method method, AnnotatedPoint point, String bean) {
    FailoverSpec<?> spec = point.spec();
    if (point.shape() == Shape.NOTHING) {
      warn(
          "failover point has no answer to keep, its calls pass name=%s method=%s"
              .formatted(spec.name(), AdvicePlacement.nameOf(method)));
    } else {
      if (found.put(spec.name(), spec) == null) {
        warnOfTransaction(type, method, spec);
      }
      beansOf.computeIfAbsent(spec.name(), it -> new TreeSet<>()).add(bean);
    }
    List<String> reasons = AdvicePlacement.problems(type, method, beans.getSingleton(bean));
    if (!reasons.isEmpty()) {
      warn(
          "failover point is not protected, advice cannot reach its method name=%s method=%s: %s"
              .formatted(spec.name(), AdvicePlacement.nameOf(method), String.join(", ", reasons)));
    }
  }

  private static void warnOfTransaction(Class<?> type, Method method, FailoverSpec<?> spec) {
    Method specific = AopUtils.getMostSpecificMethod(method, type);
    CallersTransaction.propagation(specific, type)
        .ifPresent(
            propagation ->
                warn(
                    "failover point takes part in the transaction of its caller, which is marked"
                        + " for rollback when the source fails: its commit throws"
                        + " UnexpectedRollbackException although the call had a stored answer; use"
                        + " propagation REQUIRES_NEW, or take @Transactional off the method"
                        + " name=%s method=%s propagation=%s"
                            .formatted(
                                spec.name(), AdvicePlacement.nameOf(specific), propagation)));
  }

  /** What is made later, such as prototypes, gets its advice in the same way. */
  private void checkChain(String bean, Class<?> type) {
    Object instance = beans.getSingleton(bean);
    if (instance == null || (type.isInterface() && !AopUtils.isAopProxy(instance))) {
      return;
    }
    AdviceChain chain = AdviceChain.of(instance);
    if (!chain.isProxied()) {
      warn(
          "failover points of a bean are not protected, it was made before the advice or is hidden"
              + " in another proxy bean="
              + bean);
    } else if (!chain.isOutermost()) {
      warn(
          "failover is not the outermost advice, what is outside sees recovered answers bean="
              + "%s advice=%s".formatted(bean, chain));
    } else {
      LOGGER.log(Level.DEBUG, () -> "failover bean=" + bean + " advice=" + chain);
    }
  }

  /** Points that share answers but not how long they are good: the last writer decides. */
  private void warnOfDomains() {
    Map<String, List<FailoverSpec<?>>> domains = new TreeMap<>();
    found
        .values()
        .forEach(it -> domains.computeIfAbsent(it.effectiveName(), d -> new ArrayList<>()).add(it));
    domains.forEach(
        (domain, specs) -> {
          if (specs.stream().map(FailoverSpec::expiry).distinct().count() > 1) {
            warn(
                "failover points of a domain expire differently, the last writer decides"
                    + " domain=%s points=%s"
                        .formatted(domain, specs.stream().map(FailoverSpec::name).toList()));
          }
        });
  }

  /** Beans of one class or interface ask different sources, perhaps, but share what is stored. */
  private void warnOfSharedPoints() {
    beansOf.forEach(
        (name, sharing) -> {
          if (sharing.size() > 1) {
            warn(
                "failover point is shared by several beans, one may give what another has stored"
                    + " name=%s beans=%s".formatted(name, sharing));
          }
        });
  }

  private static void warn(String line) {
    LOGGER.log(Level.WARNING, line);
  }
}
