/** What all libraries of Holdfast share: ledger, backoff, breaker, ids, time, life cycle. */
module io.holdfast.core {
  requires static java.logging;
  requires static transitive java.net.http; // for users of holdfast.http alone
  requires static org.jspecify;

  exports holdfast.breaker;
  exports holdfast.files;
  exports holdfast.http;
  exports holdfast.id;
  exports holdfast.json;
  exports holdfast.ledger;
  exports holdfast.lifecycle;
  exports holdfast.log;
  exports holdfast.payload;
  exports holdfast.problems;
  exports holdfast.retry;
  exports holdfast.time;
  exports holdfast.work;

  uses holdfast.payload.PayloadMapper;
  uses System.LoggerFinder;
}
