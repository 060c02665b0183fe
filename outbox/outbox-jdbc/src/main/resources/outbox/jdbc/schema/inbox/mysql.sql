-- What consumers have received, on MySQL. Times are UTC. The collation tells small letters
-- from capitals, and a text from the same one with blanks after it, as the other databases do.
CREATE TABLE IF NOT EXISTS outbox_inbox (
  consumer VARCHAR(128) NOT NULL,
  event_id VARCHAR(36) NOT NULL,
  received_at DATETIME(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
  PRIMARY KEY (consumer, event_id),
  -- What can be purged, longest received first.
  KEY idx_received (received_at)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
