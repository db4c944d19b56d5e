-- What the status page knows about the server itself (contracts/status.md section 7).

-- Parts for which a component was made, or decided against: a deleted one is not made again.
CREATE TABLE status_part (
  probe  TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Pages of earlier versions were set up with these.
INSERT INTO status_part (probe)
  SELECT value FROM json_each('["verification-api","verification-queue","compilers","mirror-api",
    "mirror-freshness","fee-estimation","database","upstream-records"]')
  WHERE EXISTS (SELECT 1 FROM status_page WHERE revision > 0);

-- One row: when a server on this database was last alive, UTC milliseconds.
CREATE TABLE status_heartbeat (
  id  INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  at  INTEGER NOT NULL
) STRICT;

-- Stretches in which no server ran, found at a start.
CREATE TABLE status_downtime (
  seq         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  started_at  INTEGER NOT NULL,
  ended_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX status_component_event_by_time ON status_component_event (at);

-- One row that a server writes and reads to see whether its database works.
CREATE TABLE health_row (
  id  INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  at  INTEGER NOT NULL
) STRICT;
