/** The floor under every room of Holdfast: books, backoff, breaker, ids, time, life cycle. */
module io.holdfast.core {
  requires static org.jspecify;

  exports holdfast.time;
}
