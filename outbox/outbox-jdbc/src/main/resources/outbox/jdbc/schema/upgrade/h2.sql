-- From the plain table, with the thirteen columns of the specification, to the full one, on H2. Run
-- the schema file after it: that adds the indexes and the other tables. Doing so again changes
-- nothing. The plain table's index stays; it does no harm.
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS claimed_by VARCHAR(128);
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS claim_token BIGINT DEFAULT 0 NOT NULL;
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS lapses INT DEFAULT 0 NOT NULL;
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS payload_encoding VARCHAR(16);
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS unhandled_since TIMESTAMP(6);
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS order_number BIGINT;
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS parked SMALLINT DEFAULT 0 NOT NULL;
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS
  open_number BIGINT GENERATED ALWAYS AS (CASE WHEN status <> 1 THEN order_number END);
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS
  pending SMALLINT GENERATED ALWAYS AS (
    CASE WHEN status <> 0 AND status <> 2 THEN NULL
         WHEN claimed_by IS NULL AND lapses = 0 THEN 0 ELSE 1 END);
