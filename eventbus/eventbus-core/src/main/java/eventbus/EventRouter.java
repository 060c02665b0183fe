package eventbus;

import holdfast.problems.Problems;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Finds the handlers of an event by its type, and nothing but its type, and runs them.
 *
 * <pre>{@code
 * EventRouter router = new EventRouter()
 *     .register("OrderPlaced", "mail", event -> mail(event.payload()))
 *     .register("OrderPlaced", "stock", event -> reserve(event.payload()));
 * }</pre>
 *
 * <p>Several handlers of one type run one after the other, each whatever became of the others; when
 * the event is tried again, those that are done do not run again. Safe for use by many threads;
 * handlers may be added while workers run.
 */
public final class EventRouter {
  /** The id of a handler registered without one: {@value}. */
  public static final String DEFAULT_HANDLER = "default";

  private static final int MAX_ID_LENGTH = 128;

  private record Registered(String id, EventHandler handler) {}

  private final ConcurrentMap<String, List<Registered>> byType = new ConcurrentHashMap<>();

  /** A router without handlers. */
  public EventRouter() {}

  /**
   * Adds the one handler of a type, under the id {@value #DEFAULT_HANDLER}.
   *
   * @param type the type, exactly
   * @param handler what to run
   * @return this
   * @throws IllegalArgumentException if the type has a handler of that id
   */
  public EventRouter register(String type, EventHandler handler) {
    return register(type, DEFAULT_HANDLER, handler);
  }

  /**
   * Adds a handler of a type.
   *
   * @param type the type, exactly
   * @param id names the handler among those of its type, in all versions and on all pods: it is
   *     stored with events whose other handlers failed; 1 to 128 characters, no control characters
   * @param handler what to run
   * @return this
   * @throws IllegalArgumentException if the type or id is not valid, the type has a handler of that
   *     id, or the handler takes batches of less than 1
   */
  public EventRouter register(String type, String id, EventHandler handler) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(handler, "handler");
    int batch = handler instanceof BatchEventHandler batches ? batches.maxBatchSize() : 1;
    new Problems("EventRouter")
        .require(
            !type.isBlank() && type.length() <= Event.MAX_TYPE_LENGTH,
            "type",
            "have 1 to " + Event.MAX_TYPE_LENGTH + " characters",
            type)
        .require(
            type.isBlank() || type.strip().equals(type),
            "type",
            "have no white space at its ends, as those of events,",
            type)
        .require(!type.equals("*"), "type", "be one type, each with a handler of its own,", type)
        .require(
            !id.isBlank()
                && id.length() <= MAX_ID_LENGTH
                && id.chars().noneMatch(Character::isISOControl),
            "id",
            "have 1 to " + MAX_ID_LENGTH + " characters and no control characters",
            id)
        .require(batch >= 1, "maxBatchSize", "be 1 or more", batch)
        .throwIfAny();
    byType.merge(type, List.of(new Registered(id, handler)), (old, one) -> joined(type, old, one));
    return this;
  }

  private static List<Registered> joined(
      String type, List<Registered> registered, List<Registered> added) {
    String id = added.get(0).id();
    if (registered.stream().anyMatch(other -> other.id().equals(id))) {
      throw new IllegalArgumentException(
          "handlers of type '"
              + type
              + "' must have ids of their own but '"
              + id
              + "' is registered already; give each its id with register(type, id, handler)");
    }
    List<Registered> all = new ArrayList<>(registered);
    all.addAll(added);
    return List.copyOf(all);
  }

  /** The types that have handlers, in alphabetical order. */
  public Set<String> types() {
    return new TreeSet<>(byType.keySet());
  }

  /** Whether the type has a handler. */
  public boolean handles(String type) {
    return byType.containsKey(type);
  }

  /** The handler of a type that has exactly one. */
  public Optional<EventHandler> onlyHandler(String type) {
    List<Registered> handlers = byType.getOrDefault(type, List.of());
    return handlers.size() == 1 ? Optional.of(handlers.get(0).handler()) : Optional.empty();
  }

  /**
   * Runs the handlers of an event that are not done with it.
   *
   * @param event the event
   * @throws NoHandlerException if its type has none
   * @throws Exception what the first handler to fail threw, after the others have run; their
   *     failures are suppressed in it
   */
  public void route(Event event) throws Exception {
    RouteResult result = tryRoute(event);
    if (!result.isSuccess()) {
      Throwable failure = result.failure();
      if (failure instanceof Error error) {
        throw error;
      }
      throw (Exception) failure;
    }
  }

  /**
   * Runs the handlers of an event that are not done with it, and says how they ended. After an
   * {@link VirtualMachineError}, or on a thread that was interrupted, none of the others is begun.
   *
   * @param event the event
   * @return how they ended
   * @throws NoHandlerException if its type has none
   */
  public RouteResult tryRoute(Event event) {
    List<Registered> handlers = byType.get(event.type());
    if (handlers == null) {
      throw new NoHandlerException(event.type());
    }
    Set<String> done =
        new LinkedHashSet<>(event.isClaimed() ? event.claim().doneHandlers() : Set.of());
    List<Throwable> failures = new ArrayList<>();
    for (Registered handler : handlers) {
      if (!done.contains(handler.id())) {
        try {
          handler.handler().handle(event);
          done.add(handler.id());
        } catch (Throwable e) {
          failures.add(e);
          if (e instanceof VirtualMachineError || endsEarly(e)) {
            break;
          }
        }
      }
    }
    return new RouteResult(done, failures);
  }

  private static boolean endsEarly(Throwable failure) {
    return failure instanceof InterruptedException || Thread.currentThread().isInterrupted();
  }
}
