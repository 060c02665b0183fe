-- The outbox on PostgreSQL. Times are UTC without zone.
CREATE TABLE IF NOT EXISTS outbox_event (
  event_id VARCHAR(36) PRIMARY KEY,
  event_type VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id VARCHAR(128),
  tenant_id VARCHAR(64),
  payload JSON NOT NULL,
  headers JSON,
  status SMALLINT NOT NULL,
  attempts INT NOT NULL DEFAULT 0,
  available_at TIMESTAMP(6) NOT NULL,
  created_at TIMESTAMP(6) NOT NULL,
  done_at TIMESTAMP(6),
  last_error TEXT,
  claimed_by VARCHAR(128),
  claim_token BIGINT NOT NULL DEFAULT 0,
  lapses INT NOT NULL DEFAULT 0,
  suspect_group INT NOT NULL DEFAULT 0,
  payload_encoding VARCHAR(16),
  unhandled_since TIMESTAMP(6),
  failing_since TIMESTAMP(6),
  order_number BIGINT,
  parked SMALLINT NOT NULL DEFAULT 0
);

-- What is to be delivered, soonest first, and what is or was held by a node apart from the rest. A
-- row leaves it when it is done.
CREATE INDEX IF NOT EXISTS outbox_event_idx_status_available
  ON outbox_event ((CASE WHEN claimed_by IS NULL AND lapses = 0 THEN 0 ELSE 1 END), available_at, event_id)
  WHERE status IN (0, 2);

-- What comes before an ordered event.
CREATE INDEX IF NOT EXISTS outbox_event_idx_order
  ON outbox_event (aggregate_type, aggregate_id, order_number)
  WHERE order_number IS NOT NULL AND status <> 1;

-- What can be purged, longest done first. It adds a twelfth to what an event writes to the log (817
-- to 884 bytes from insert to DONE) and no time that could be measured. Without it each purge would
-- read the whole table. Rows that are not done are not in it, so inserting one costs nothing.
CREATE INDEX IF NOT EXISTS outbox_event_idx_done
  ON outbox_event (done_at) WHERE status = 1;

-- What waits for another attempt after a failure. Empty on a good day.
CREATE INDEX IF NOT EXISTS outbox_event_idx_retry
  ON outbox_event (event_type, available_at) WHERE status = 2;

-- What was given up. Empty on a good day.
CREATE INDEX IF NOT EXISTS outbox_event_idx_dead
  ON outbox_event (event_id) WHERE status = 3;

-- The last number of each aggregate.
CREATE TABLE IF NOT EXISTS outbox_event_order (
  aggregate_type VARCHAR(64) NOT NULL,
  aggregate_id VARCHAR(128) NOT NULL,
  last_number BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (aggregate_type, aggregate_id)
);

-- How many events were accepted, delivered and lost, counted apart from the rows, so that a row changed by
-- hand shows in the ledger. Each transaction adds a row, and nodes replace many rows by one with their sum.
CREATE TABLE IF NOT EXISTS outbox_event_count (
  accepted BIGINT NOT NULL DEFAULT 0,
  delivered BIGINT NOT NULL DEFAULT 0,
  lost BIGINT NOT NULL DEFAULT 0
);

-- It has no key, because an index would cost more than the row. So that it can be replicated all the same:
DO '
DECLARE counts regclass := ''outbox_event_count''; BEGIN
  IF (SELECT c.relreplident FROM pg_class c WHERE c.oid = counts) <> ''f''
  THEN EXECUTE ''ALTER TABLE '' || counts || '' REPLICA IDENTITY FULL''; END IF; END';

-- What the table had before there were counters.
INSERT INTO outbox_event_count (accepted, delivered)
  SELECT COUNT(*), COUNT(CASE WHEN e.status = 1 THEN 1 END)
    FROM outbox_event e
   WHERE NOT EXISTS (SELECT 1 FROM outbox_event_count)
  HAVING NOT EXISTS (SELECT 1 FROM outbox_event_count);

-- Which nodes take events, and when each was last there.
CREATE TABLE IF NOT EXISTS outbox_event_node (
  node VARCHAR(128) PRIMARY KEY,
  seen_at TIMESTAMP(6) NOT NULL
);

-- Which types no node takes, and since when. The type * stands for all of them.
CREATE TABLE IF NOT EXISTS outbox_event_pause (
  event_type VARCHAR(128) PRIMARY KEY,
  paused_at TIMESTAMP(6) NOT NULL
);
