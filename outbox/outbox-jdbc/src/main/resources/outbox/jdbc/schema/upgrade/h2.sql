-- From the plain table, with its thirteen columns, to the full one, on H2. Run the schema file after
-- it: that adds the indexes and the other tables. Running both again changes nothing. The index of
-- the plain table stays and does no harm.
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS claimed_by VARCHAR(128);
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS claim_token BIGINT DEFAULT 0 NOT NULL;
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS lapses INT DEFAULT 0 NOT NULL;
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS suspect_group INT DEFAULT 0 NOT NULL;
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS payload_encoding VARCHAR(16);
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS unhandled_since TIMESTAMP(6);
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS failing_since TIMESTAMP(6);
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS order_number BIGINT;
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS parked SMALLINT DEFAULT 0 NOT NULL;
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS
  open_number BIGINT GENERATED ALWAYS AS (CASE WHEN status <> 1 THEN order_number END);
ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS
  pending SMALLINT GENERATED ALWAYS AS (
    CASE WHEN status <> 0 AND status <> 2 THEN NULL
         WHEN claimed_by IS NULL AND lapses = 0 THEN 0 ELSE 1 END);
