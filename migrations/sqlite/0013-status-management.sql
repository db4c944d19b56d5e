-- Who changed the status page (contracts/status.md section 4, audit) and what its subscribers are to be told.

CREATE TABLE status_audit (
  seq         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  at          INTEGER NOT NULL,
  -- Name of the token, or `command`.
  actor       TEXT    NOT NULL,
  call        TEXT    NOT NULL,
  subject_id  TEXT    NOT NULL,
  -- JSON objects with the members that the call changed; null where the subject did not or does not exist.
  before      TEXT,
  after       TEXT
) STRICT;

-- Written with the change that it tells of. Not bound to incidents and components: those may be deleted later.
CREATE TABLE status_notice (
  seq         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id          TEXT    NOT NULL UNIQUE,
  kind        TEXT    NOT NULL CHECK (kind IN ('incident', 'component')),
  subject_id  TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  -- JSON object: the body that subscribers get, without its member `meta`.
  payload     TEXT    NOT NULL
) STRICT;

CREATE INDEX status_notice_by_time ON status_notice (at);

-- Lists of the management API begin with the newest of both kinds.
CREATE INDEX status_incident_by_creation ON status_incident (created_at, seq);
