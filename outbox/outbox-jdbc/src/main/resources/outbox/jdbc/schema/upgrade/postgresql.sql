-- From the plain table, with its thirteen columns, to the full one, on PostgreSQL. Run the schema
-- file after it: that adds the indexes and the other tables. Running both again changes nothing. New
-- columns cost no rewrite, and making the indexes blocks writers meanwhile.
ALTER TABLE outbox_event
  ADD COLUMN IF NOT EXISTS claimed_by VARCHAR(128),
  ADD COLUMN IF NOT EXISTS claim_token BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS lapses INT NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS suspect_group INT NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS payload_encoding VARCHAR(16),
  ADD COLUMN IF NOT EXISTS unhandled_since TIMESTAMP(6),
  ADD COLUMN IF NOT EXISTS failing_since TIMESTAMP(6),
  ADD COLUMN IF NOT EXISTS order_number BIGINT,
  ADD COLUMN IF NOT EXISTS parked SMALLINT NOT NULL DEFAULT 0;

-- The index of the plain table: its place is taken by one of pending rows only. Index names are those of
-- a whole schema, so it is dropped only if it belongs to this table.
DO '
DECLARE old regclass; BEGIN
  SELECT i.indexrelid INTO old
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
   WHERE i.indrelid = ''outbox_event''::regclass AND c.relname = ''idx_status_available'';
  IF old IS NOT NULL THEN EXECUTE ''DROP INDEX '' || old; END IF; END';
