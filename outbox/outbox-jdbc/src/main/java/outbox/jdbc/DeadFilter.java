package outbox.jdbc;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which dead events are meant: those that match all that is set. Immutable.
 *
 * <pre>{@code
 * DeadFilter.ALL.type("OrderPlaced").diedBefore(yesterday)
 * }</pre>
 *
 * @param eventType their type, or null for any
 * @param tenantId whose they are, or null for anybody's
 * @param aggregateType what they are about, or null for anything
 * @param aggregateId which one they are about, or null for any
 * @param diedFrom when they were given up at the earliest, or null
 * @param diedBefore the moment before which they were given up, or null
 */
public record DeadFilter(
    @Nullable String eventType,
    @Nullable String tenantId,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable Instant diedFrom,
    @Nullable Instant diedBefore) {

  /** Every dead event. */
  public static final DeadFilter ALL = new DeadFilter(null, null, null, null, null, null);

  /** The same with only this type. */
  public DeadFilter type(String eventType) {
    return new DeadFilter(eventType, tenantId, aggregateType, aggregateId, diedFrom, diedBefore);
  }

  /** The same with only this tenant. */
  public DeadFilter tenant(String tenantId) {
    return new DeadFilter(eventType, tenantId, aggregateType, aggregateId, diedFrom, diedBefore);
  }

  /** The same with only what is about this kind of thing. */
  public DeadFilter aggregateType(String aggregateType) {
    return new DeadFilter(eventType, tenantId, aggregateType, aggregateId, diedFrom, diedBefore);
  }

  /** The same with only what is about this one thing. */
  public DeadFilter aggregate(String aggregateType, String aggregateId) {
    return new DeadFilter(eventType, tenantId, aggregateType, aggregateId, diedFrom, diedBefore);
  }

  /** The same with only what was given up then or later. */
  public DeadFilter diedFrom(Instant diedFrom) {
    return new DeadFilter(eventType, tenantId, aggregateType, aggregateId, diedFrom, diedBefore);
  }

  /** The same with only what was given up before then. */
  public DeadFilter diedBefore(Instant diedBefore) {
    return new DeadFilter(eventType, tenantId, aggregateType, aggregateId, diedFrom, diedBefore);
  }
}
