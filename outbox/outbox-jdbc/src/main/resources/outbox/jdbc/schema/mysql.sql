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
  -- What can be purged, longest done first, what was given up, and the counts of the books.
  KEY idx_finished (status, done_at)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- The last number of each aggregate.
CREATE TABLE IF NOT EXISTS outbox_event_order (
  aggregate_type VARCHAR(64) NOT NULL,
  aggregate_id VARCHAR(128) NOT NULL,
  last_number BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (aggregate_type, aggregate_id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- How many events were purged, by their last status: what the table itself cannot tell any more.
CREATE TABLE IF NOT EXISTS outbox_event_purged (
  status TINYINT PRIMARY KEY,
  events BIGINT NOT NULL
);

-- Both rows from the beginning: purges that add them at the same time could end in a deadlock.
INSERT IGNORE INTO outbox_event_purged (status, events) VALUES (1, 0), (3, 0);

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
