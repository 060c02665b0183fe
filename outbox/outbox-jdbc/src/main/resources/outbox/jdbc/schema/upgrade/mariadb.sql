-- From the plain table, with its thirteen columns, to the full one, on MariaDB. Run the schema file
-- after it: that adds the other tables. Running both again changes nothing. It is one statement, so
-- that it happens as a whole. It copies the table, because names that differ only in case must be
-- told apart, and blocks writers meanwhile.
ALTER TABLE outbox_event
  MODIFY event_id VARCHAR(36) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  MODIFY event_type VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  MODIFY aggregate_type VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY aggregate_id VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY tenant_id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY last_error TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  ADD COLUMN IF NOT EXISTS claimed_by VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  ADD COLUMN IF NOT EXISTS claim_token BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS lapses INT NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS suspect_group INT NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS payload_encoding VARCHAR(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  ADD COLUMN IF NOT EXISTS unhandled_since DATETIME(6),
  ADD COLUMN IF NOT EXISTS failing_since DATETIME(6),
  ADD COLUMN IF NOT EXISTS order_number BIGINT,
  ADD COLUMN IF NOT EXISTS parked TINYINT NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS open_number BIGINT
    GENERATED ALWAYS AS (CASE WHEN status <> 1 THEN order_number END) VIRTUAL,
  ADD COLUMN IF NOT EXISTS
    pending TINYINT GENERATED ALWAYS AS (
    CASE WHEN status NOT IN (0, 2) THEN NULL
         WHEN claimed_by IS NULL AND lapses = 0 THEN 0 ELSE 1 END) VIRTUAL,
  DROP INDEX IF EXISTS idx_status_available,
  ADD INDEX idx_status_available (pending, available_at, event_id),
  ADD INDEX IF NOT EXISTS idx_order (aggregate_type, aggregate_id, open_number),
  ADD INDEX IF NOT EXISTS idx_finished (status, done_at);
