-- From the plain table, with the thirteen columns of the specification, to the full one, on
-- PostgreSQL. Run the schema file after it: that adds the indexes and the other tables. Doing so
-- again changes nothing. New columns cost no rewrite; making the indexes blocks writers meanwhile.
ALTER TABLE ${table}
  ADD COLUMN IF NOT EXISTS claimed_by VARCHAR(128),
  ADD COLUMN IF NOT EXISTS claim_token BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS lapses INT NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS payload_encoding VARCHAR(16),
  ADD COLUMN IF NOT EXISTS unhandled_since TIMESTAMP(6),
  ADD COLUMN IF NOT EXISTS order_number BIGINT,
  ADD COLUMN IF NOT EXISTS parked SMALLINT NOT NULL DEFAULT 0;

-- The plain table's index: its place is taken by one of pending rows only. Index names are those of
-- a whole schema, so it goes only if it is this table's.
DO $$
DECLARE
  old regclass;
BEGIN
  SELECT i.indexrelid INTO old
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
   WHERE i.indrelid = '${table}'::regclass AND c.relname = 'idx_status_available';
  IF old IS NOT NULL THEN
    EXECUTE 'DROP INDEX ' || old;
  END IF;
END
$$;
