# The events; one row each.
CREATE TABLE IF NOT EXISTS letters (
  id     VARCHAR(36) PRIMARY KEY,
  status INT NOT NULL, -- 0 = new; 1 = done
  note   VARCHAR(9) DEFAULT 'it\'s; ',
  doc    JSON,
  at     DATETIME(6)
);

/* Finds what is due; */
CREATE INDEX IF NOT EXISTS letters_due ON letters (at, id);
