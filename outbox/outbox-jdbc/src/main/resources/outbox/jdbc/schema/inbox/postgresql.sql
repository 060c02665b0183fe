-- What consumers have received, on PostgreSQL. Times are UTC without zone.
CREATE TABLE IF NOT EXISTS outbox_inbox (
  consumer VARCHAR(128) NOT NULL,
  event_id VARCHAR(36) NOT NULL,
  received_at TIMESTAMP(6) NOT NULL DEFAULT (statement_timestamp() AT TIME ZONE 'UTC'),
  PRIMARY KEY (consumer, event_id)
);

-- What can be purged, longest received first.
CREATE INDEX IF NOT EXISTS outbox_inbox_idx_received
  ON outbox_inbox (received_at);
