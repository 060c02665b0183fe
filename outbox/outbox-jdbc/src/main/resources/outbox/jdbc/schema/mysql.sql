-- The outbox on MySQL. Times are UTC.
CREATE TABLE IF NOT EXISTS outbox_event (
  event_id VARCHAR(36) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PRIMARY KEY,
  event_type VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id VARCHAR(128),
  tenant_id VARCHAR(64),
  payload JSON NOT NULL,
  headers JSON,
  status TINYINT NOT NULL,
  attempts INT NOT NULL DEFAULT 0,
  available_at DATETIME(6) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  done_at DATETIME(6),
  last_error TEXT,
  claimed_by VARCHAR(128),
  claim_token BIGINT NOT NULL DEFAULT 0,
  lapses INT NOT NULL DEFAULT 0,
  suspect_group INT NOT NULL DEFAULT 0,
  payload_encoding VARCHAR(16),
  unhandled_since DATETIME(6),
  failing_since DATETIME(6),
  order_number BIGINT,
  parked TINYINT NOT NULL DEFAULT 0,
  open_number BIGINT GENERATED ALWAYS AS (CASE WHEN status <> 1 THEN order_number END) VIRTUAL,
  pending TINYINT GENERATED ALWAYS AS (
    CASE WHEN status NOT IN (0, 2) THEN NULL
         WHEN claimed_by IS NULL AND lapses = 0 THEN 0 ELSE 1 END) VIRTUAL,
  KEY idx_status_available (pending, available_at, event_id),
  KEY idx_order (aggregate_type, aggregate_id, open_number),
  -- What can be purged, longest done first, and what was given up.
  KEY idx_finished (status, done_at)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- The last number of each aggregate.
CREATE TABLE IF NOT EXISTS outbox_event_order (
  aggregate_type VARCHAR(64) NOT NULL,
  aggregate_id VARCHAR(128) NOT NULL,
  last_number BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (aggregate_type, aggregate_id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- How many events were accepted, delivered and lost, counted apart from the rows, so that a row changed by
-- hand shows in the ledger. Each transaction adds a row, and nodes replace many rows by one with their sum.
CREATE TABLE IF NOT EXISTS outbox_event_count (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  accepted BIGINT NOT NULL DEFAULT 0,
  delivered BIGINT NOT NULL DEFAULT 0,
  lost BIGINT NOT NULL DEFAULT 0
);

-- What the table had before there were counters.
INSERT INTO outbox_event_count (accepted, delivered)
  SELECT COUNT(*), COUNT(CASE WHEN e.status = 1 THEN 1 END)
    FROM outbox_event e
   WHERE NOT EXISTS (SELECT 1 FROM outbox_event_count)
  HAVING NOT EXISTS (SELECT 1 FROM outbox_event_count);

-- Which nodes take events, and when each was last there.
CREATE TABLE IF NOT EXISTS outbox_event_node (
  node VARCHAR(128) PRIMARY KEY,
  seen_at DATETIME(6) NOT NULL
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Which types no node takes, and since when. The type * stands for all of them.
CREATE TABLE IF NOT EXISTS outbox_event_pause (
  event_type VARCHAR(128) PRIMARY KEY,
  paused_at DATETIME(6) NOT NULL
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
