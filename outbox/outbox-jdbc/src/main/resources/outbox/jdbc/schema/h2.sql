-- The outbox on H2. Times are UTC without zone. Generated columns compare without IN: H2 2.4.240 ties
-- a list of values to the connection that created the table, and fails when that one is closed.
CREATE TABLE IF NOT EXISTS outbox_event (
  event_id VARCHAR(36) PRIMARY KEY,
  event_type VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id VARCHAR(128),
  tenant_id VARCHAR(64),
  payload JSON NOT NULL,
  headers JSON,
  status SMALLINT NOT NULL,
  attempts INT DEFAULT 0 NOT NULL,
  available_at TIMESTAMP(6) NOT NULL,
  created_at TIMESTAMP(6) NOT NULL,
  done_at TIMESTAMP(6),
  last_error VARCHAR(4000),
  claimed_by VARCHAR(128),
  claim_token BIGINT DEFAULT 0 NOT NULL,
  lapses INT DEFAULT 0 NOT NULL,
  suspect_group INT DEFAULT 0 NOT NULL,
  payload_encoding VARCHAR(16),
  unhandled_since TIMESTAMP(6),
  failing_since TIMESTAMP(6),
  order_number BIGINT,
  parked SMALLINT DEFAULT 0 NOT NULL,
  open_number BIGINT GENERATED ALWAYS AS (CASE WHEN status <> 1 THEN order_number END),
  pending SMALLINT GENERATED ALWAYS AS (
    CASE WHEN status <> 0 AND status <> 2 THEN NULL
         WHEN claimed_by IS NULL AND lapses = 0 THEN 0 ELSE 1 END)
);

-- What is to be delivered, soonest first.
CREATE INDEX IF NOT EXISTS outbox_event_idx_status_available
  ON outbox_event (pending, available_at, event_id);

-- What comes before an ordered event.
CREATE INDEX IF NOT EXISTS outbox_event_idx_order
  ON outbox_event (aggregate_type, aggregate_id, open_number);

-- What can be purged, longest done first, and what was given up.
CREATE INDEX IF NOT EXISTS outbox_event_idx_finished
  ON outbox_event (status, done_at);

-- The last number of each aggregate.
CREATE TABLE IF NOT EXISTS outbox_event_order (
  aggregate_type VARCHAR(64) NOT NULL,
  aggregate_id VARCHAR(128) NOT NULL,
  last_number BIGINT DEFAULT 0 NOT NULL,
  PRIMARY KEY (aggregate_type, aggregate_id)
);

-- How many events were purged, by their last status: what the table itself cannot tell any more.
CREATE TABLE IF NOT EXISTS outbox_event_purged (
  status SMALLINT PRIMARY KEY,
  events BIGINT NOT NULL
);

-- Both rows from the beginning: purges that add them at the same time could end in a deadlock.
INSERT INTO outbox_event_purged (status, events)
  SELECT n.status, 0 FROM (VALUES (1), (3)) AS n (status)
   WHERE NOT EXISTS (SELECT 1 FROM outbox_event_purged p WHERE p.status = n.status);

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
