package holdfast.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * A pool of one connection, on which a chosen call fails. It counts what it lends and gets back.
 * Not safe for use by several threads.
 */
final class FaultyPool {

  /** What happens at the chosen call. */
  enum Fault {
    /** It throws and has no effect. */
    BEFORE_EFFECT,
    /** It has its effect and then throws. */
    AFTER_EFFECT,
    /** It throws without effect, and so does every call after it. */
    FROM_THEN_ON
  }

  private final Connection physical;
  private final int failingCall;
  private final Fault fault;
  private final Supplier<? extends Throwable> failure;
  private final List<String> calls = new ArrayList<>();
  private final List<Throwable> thrown = new ArrayList<>();

  FaultyPool(
      Connection physical, int failingCall, Fault fault, Supplier<? extends Throwable> failure) {
    this.physical = physical;
    this.failingCall = failingCall;
    this.fault = fault;
    this.failure = failure;
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (self, method, args) -> {
          Connection lent = proxy(Connection.class, (proxy, called, values) -> on(called, values));
          call(method.getName(), () -> null);
          return lent;
        });
  }

  private Object on(Method method, Object[] args) throws Throwable {
    boolean poolsOwn = method.getName().equals("close") || method.getName().equals("abort");
    return call(method.getName(), () -> poolsOwn ? null : invoke(method, args));
  }

  private Object call(String name, Effect effect) throws Throwable {
    calls.add(name);
    boolean now = calls.size() == failingCall;
    boolean later = calls.size() > failingCall && fault == Fault.FROM_THEN_ON;
    if ((now && fault != Fault.AFTER_EFFECT) || later) {
      throw fail();
    }
    Object result = effect.happen();
    if (now) {
      throw fail();
    }
    return result;
  }

  private Throwable fail() {
    Throwable next = failure.get();
    thrown.add(next);
    return next;
  }

  private Object invoke(Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(physical, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** All calls so far, from {@code getConnection} on. */
  List<String> calls() {
    return calls;
  }

  /** All failures so far, in order. */
  List<Throwable> thrown() {
    return thrown;
  }

  boolean wasLent() {
    return failingCall != 1;
  }

  boolean wasAborted() {
    return calls.contains("abort");
  }

  private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(FaultyPool.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private interface Effect {
    Object happen() throws Throwable;
  }
}
