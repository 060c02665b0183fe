-- The events; one row each.
CREATE TABLE IF NOT EXISTS letters (
  id     VARCHAR(36) PRIMARY KEY,
  status INT NOT NULL, -- 0 = new; 1 = done
  doc    JSON,
  at     TIMESTAMP(6)
);

/* Finds what is due; */
CREATE INDEX IF NOT EXISTS letters_due ON letters (at, id);
