-- Who is told of changes of the status page, and what has not reached them yet (contracts/status.md section 11).

CREATE TABLE status_subscriber (
  seq           INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id            TEXT    NOT NULL UNIQUE,
  -- Absolute http or https address, as given.
  endpoint      TEXT    NOT NULL,
  email         TEXT,
  -- Key of the signatures: it is needed at every delivery, so it cannot be kept as a hash.
  secret        TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  -- When the newest attempt failed; null when it succeeded. Who fails waits behind the others.
  failed_at     INTEGER,
  -- The process that sends to it now, and until when it surely does.
  lease_owner   TEXT,
  leased_until  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- When the news were made, as receivers see it; the same at each retry.
ALTER TABLE status_notice ADD COLUMN generated_at TEXT NOT NULL DEFAULT '';

-- One row per notice and subscriber that existed then, written with the change. A delivered one is deleted.
CREATE TABLE status_delivery (
  subscriber_seq  INTEGER NOT NULL REFERENCES status_subscriber (seq) ON DELETE CASCADE,
  notice_seq      INTEGER NOT NULL REFERENCES status_notice (seq) ON DELETE CASCADE,
  -- Those that failed.
  attempts        INTEGER NOT NULL DEFAULT 0,
  -- When the next attempt is due; null when there is none any more.
  next_at         INTEGER,
  PRIMARY KEY (subscriber_seq, notice_seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX status_delivery_due ON status_delivery (subscriber_seq, next_at, notice_seq)
  WHERE next_at IS NOT NULL;
CREATE INDEX status_delivery_by_notice ON status_delivery (notice_seq, next_at);
