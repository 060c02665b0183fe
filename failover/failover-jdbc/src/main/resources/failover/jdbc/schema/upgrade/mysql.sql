-- From a table without CHANGED_ON to one with it, on MySQL. Run the schema file after it: that adds
-- the other tables. Unlike on the other databases it can be run only once, because MySQL
-- cannot skip a column that is there. FailoverSchema.createIfMissing checks first.
ALTER TABLE FAILOVER_STORE
  ADD COLUMN CHANGED_ON DATETIME(6) DEFAULT '2000-01-01 00:00:00' NOT NULL,
  ADD INDEX IDX_CHANGED (CHANGED_ON);
