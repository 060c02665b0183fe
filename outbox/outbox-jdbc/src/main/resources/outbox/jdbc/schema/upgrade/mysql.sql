-- From the plain table, with its thirteen columns, to the full one, on MySQL. Run the schema file
-- after it: that adds the other tables. Unlike on the other databases it can be run only once,
-- because MySQL cannot skip a column that is there. OutboxSchema.upgrade checks first. The last
-- statement happens as a whole. It copies the table, because names that differ only in case must be
-- told apart, and blocks writers meanwhile.
SET @holdfast_table = 'outbox_event';
SET @holdfast_old_index = (
  SELECT IF(COUNT(*) = 0, 'DO 0',
            CONCAT('ALTER TABLE ', @holdfast_table, ' DROP INDEX idx_status_available'))
    FROM information_schema.statistics
   WHERE table_schema = IF(LOCATE('.', @holdfast_table) > 0,
                           SUBSTRING_INDEX(@holdfast_table, '.', 1), DATABASE())
     AND table_name = SUBSTRING_INDEX(@holdfast_table, '.', -1)
     AND index_name = 'idx_status_available');
PREPARE holdfast_old_index FROM @holdfast_old_index;
EXECUTE holdfast_old_index;
DEALLOCATE PREPARE holdfast_old_index;

ALTER TABLE outbox_event
  MODIFY event_id VARCHAR(36) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  MODIFY event_type VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  MODIFY aggregate_type VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY aggregate_id VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY tenant_id VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  MODIFY last_error TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  ADD COLUMN claimed_by VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  ADD COLUMN claim_token BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN lapses INT NOT NULL DEFAULT 0,
  ADD COLUMN suspect_group INT NOT NULL DEFAULT 0,
  ADD COLUMN payload_encoding VARCHAR(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  ADD COLUMN unhandled_since DATETIME(6),
  ADD COLUMN failing_since DATETIME(6),
  ADD COLUMN order_number BIGINT,
  ADD COLUMN parked TINYINT NOT NULL DEFAULT 0,
  ADD COLUMN open_number BIGINT
    GENERATED ALWAYS AS (CASE WHEN status <> 1 THEN order_number END) VIRTUAL,
  ADD COLUMN pending TINYINT GENERATED ALWAYS AS (
    CASE WHEN status NOT IN (0, 2) THEN NULL
         WHEN claimed_by IS NULL AND lapses = 0 THEN 0 ELSE 1 END) VIRTUAL,
  ADD INDEX idx_status_available (pending, available_at, event_id),
  ADD INDEX idx_order (aggregate_type, aggregate_id, open_number),
  ADD INDEX idx_finished (status, done_at);
