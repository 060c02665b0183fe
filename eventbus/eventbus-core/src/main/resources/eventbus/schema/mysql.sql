-- The event bus on MySQL. Times are UTC.
CREATE TABLE IF NOT EXISTS events (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  type VARCHAR(128) NOT NULL,
  payload LONGTEXT NOT NULL,
  headers LONGTEXT,
  priority TINYINT NOT NULL DEFAULT 5 CHECK (priority BETWEEN 0 AND 9),
  status VARCHAR(16) NOT NULL DEFAULT 'PENDING',
  attempts INT NOT NULL DEFAULT 0,
  failures INT NOT NULL DEFAULT 0,
  lapses INT NOT NULL DEFAULT 0,
  suspect_group INT NOT NULL DEFAULT 0,
  available_at DATETIME(6) NOT NULL,
  processing_started_at DATETIME(6),
  failing_since DATETIME(6),
  last_error TEXT,
  claim_token BIGINT NOT NULL DEFAULT 0,
  claimed_by VARCHAR(128),
  done_handlers LONGTEXT,
  created_at DATETIME(6) NOT NULL,
  held_until DATETIME(6) GENERATED ALWAYS AS (
    CASE WHEN claimed_by IS NULL AND lapses = 0 THEN NULL ELSE available_at END) VIRTUAL,
  -- What waits, in the order it is acquired.
  KEY idx_due (type, priority, available_at, id),
  -- What a worker has or was lost with, by the end of its claim.
  KEY idx_held (held_until, id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS event_log (
  id BIGINT NOT NULL PRIMARY KEY,
  type VARCHAR(128) NOT NULL,
  payload LONGTEXT NOT NULL,
  headers LONGTEXT,
  attempts INT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  status VARCHAR(16) NOT NULL,
  error TEXT,
  finished_at DATETIME(6) NOT NULL,
  republished_as BIGINT,
  -- What can be purged, longest finished first, and what failed.
  KEY idx_finished (status, finished_at)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- How many events were accepted, delivered and lost, counted apart from the rows, so that a row changed by
-- hand shows in the ledger. Each transaction adds a row, and nodes replace many rows by one with their sum.
CREATE TABLE IF NOT EXISTS events_count (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  accepted BIGINT NOT NULL DEFAULT 0,
  delivered BIGINT NOT NULL DEFAULT 0,
  lost BIGINT NOT NULL DEFAULT 0
);

-- What the tables had before there were counters.
INSERT INTO events_count (accepted, delivered)
  SELECT COUNT(*), COUNT(CASE WHEN e.status = 'COMPLETED' THEN 1 END)
    FROM (SELECT status FROM events UNION ALL SELECT status FROM event_log) e
   WHERE NOT EXISTS (SELECT 1 FROM events_count)
  HAVING NOT EXISTS (SELECT 1 FROM events_count);

-- Which nodes take events, and when each was last there.
CREATE TABLE IF NOT EXISTS events_node (
  node VARCHAR(128) PRIMARY KEY,
  seen_at DATETIME(6) NOT NULL
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Which types no node takes, and since when. The type * stands for all of them.
CREATE TABLE IF NOT EXISTS events_pause (
  type VARCHAR(128) PRIMARY KEY,
  paused_at DATETIME(6) NOT NULL
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
