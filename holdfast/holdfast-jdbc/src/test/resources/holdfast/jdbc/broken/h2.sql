CREATE TABLE IF NOT EXISTS not_broken (id INT);

-- This one cannot work.
INSERT INTO no_such_table
VALUES (1);
