-- From a table without CHANGED_ON to one with it, on H2. Run the schema file after it: that adds
-- the indexes and the other tables. Running both again changes nothing.
ALTER TABLE FAILOVER_STORE
  ADD COLUMN IF NOT EXISTS CHANGED_ON TIMESTAMP(6) DEFAULT TIMESTAMP '2000-01-01 00:00:00' NOT NULL;
