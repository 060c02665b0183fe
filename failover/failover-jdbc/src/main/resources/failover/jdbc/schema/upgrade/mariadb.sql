-- From a table without CHANGED_ON to one with it, on MariaDB. Run the schema file after it: that adds
-- the other tables. Running both again changes nothing.
ALTER TABLE FAILOVER_STORE
  ADD COLUMN IF NOT EXISTS CHANGED_ON DATETIME(6) DEFAULT '2000-01-01 00:00:00' NOT NULL,
  ADD INDEX IF NOT EXISTS IDX_CHANGED (CHANGED_ON);
