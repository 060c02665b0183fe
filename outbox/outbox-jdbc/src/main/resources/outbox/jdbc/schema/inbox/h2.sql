-- What consumers have received, on H2. Times are UTC without zone.
CREATE TABLE IF NOT EXISTS outbox_inbox (
  consumer VARCHAR(128) NOT NULL,
  event_id VARCHAR(36) NOT NULL,
  received_at TIMESTAMP(6)
    DEFAULT (TIMESTAMP '1970-01-01 00:00:00'
      + (CURRENT_TIMESTAMP(6) - TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00')) NOT NULL,
  PRIMARY KEY (consumer, event_id)
);

-- What can be purged, longest received first.
CREATE INDEX IF NOT EXISTS outbox_inbox_idx_received
  ON outbox_inbox (received_at);
