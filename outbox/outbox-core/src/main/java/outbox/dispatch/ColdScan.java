package outbox.dispatch;

import java.util.Set;

/**
 * A look into a table whose rows are read without being locked or claimed. Begun before the rows
 * are read, it does not queue an event whose outcome was written since: what was read of it is old,
 * and it would be delivered a second time. Confined to one thread.
 */
public final class ColdScan implements AutoCloseable {
  private final OutboxDispatcher dispatcher;
  private final Node node;
  private final Set<String> releasedSince;
  private int queued;

  ColdScan(OutboxDispatcher dispatcher, Node node) {
    this.dispatcher = dispatcher;
    this.node = node;
    this.releasedSince = node.inHand().watch();
  }

  /**
   * Queues an event that was read since the scan began.
   *
   * @param event the event
   * @return false if the queue is full or the dispatcher closed; true also if the event is in hand
   *     already or was meanwhile
   */
  public boolean enqueue(QueuedEvent event) {
    OutboxDispatcher.Entry entry = dispatcher.enterCold(event, releasedSince);
    queued += entry == OutboxDispatcher.Entry.QUEUED ? 1 : 0;
    return entry != OutboxDispatcher.Entry.REFUSED;
  }

  /**
   * Reports an event that was marked as dead because it cannot be decoded.
   *
   * @param eventId the event
   * @param eventType its type
   * @param error why
   */
  public void dead(String eventId, String eventType, String error) {
    node.log().dead(eventId, eventType, error);
  }

  /** How many events entered the queue. */
  public int queued() {
    return queued;
  }

  /** Ends the scan. */
  @Override
  public void close() {
    node.inHand().unwatch(releasedSince);
  }
}
