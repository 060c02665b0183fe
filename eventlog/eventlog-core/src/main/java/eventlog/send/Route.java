package eventlog.send;

import eventlog.spi.EntryWriter;
import holdfast.retry.Backoff;

/**
 * Everything a sender needs to know of the way ahead.
 *
 * @param queue where events come from
 * @param requests the way to the API
 * @param retries where failed events wait
 * @param overflow where events go that cannot be sent
 * @param ledger the ledger
 * @param writer knows which events can be sent at all
 * @param backoff how long to wait after a failure
 * @param maxRetries how often to try again
 * @param maxRequestBytes how many bytes of JSON one request carries at most, or one event
 */
public record Route(
    EventQueue queue,
    Requests requests,
    Retries retries,
    Overflow overflow,
    EventLogLedger ledger,
    EntryWriter writer,
    Backoff backoff,
    int maxRetries,
    int maxRequestBytes) {}
