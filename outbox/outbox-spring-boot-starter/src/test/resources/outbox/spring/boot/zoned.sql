-- A table made by hand, with moments that the outbox cannot use.
CREATE TABLE outbox_event (
  event_id VARCHAR(36) PRIMARY KEY,
  event_type VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id VARCHAR(128),
  tenant_id VARCHAR(64),
  payload JSON NOT NULL,
  headers JSON,
  status SMALLINT NOT NULL,
  attempts INT NOT NULL,
  available_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  created_at TIMESTAMP(6) NOT NULL,
  done_at TIMESTAMP(6),
  last_error VARCHAR(4000)
);
