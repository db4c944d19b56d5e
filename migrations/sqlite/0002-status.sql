-- Status page (contracts/status.md section 8). Instants are UTC milliseconds, flags 0 or 1.
-- `seq` is the order of insertion, which breaks ties wherever the contract orders by time.

CREATE TABLE status_page (
  id                    TEXT    NOT NULL PRIMARY KEY,
  name                  TEXT    NOT NULL,
  url                   TEXT    NOT NULL,
  time_zone             TEXT    NOT NULL,
  page_description      TEXT,
  support_url           TEXT,
  hidden_from_search    INTEGER NOT NULL DEFAULT 0,
  allow_rss_atom_feeds  INTEGER NOT NULL DEFAULT 1,
  created_at            INTEGER NOT NULL,
  updated_at            INTEGER NOT NULL,
  -- Counts the commits of this area, so that other processes see a change with one small read.
  revision              INTEGER NOT NULL,
  -- The URL as last configured: a changed setting is told from an edit of the page.
  configured_url        TEXT    NOT NULL
) STRICT;

CREATE TABLE status_component (
  seq                    INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id                     TEXT    NOT NULL UNIQUE,
  name                   TEXT    NOT NULL,
  description            TEXT,
  is_group               INTEGER NOT NULL,
  group_id               TEXT,
  position               INTEGER NOT NULL,
  manual_status          TEXT    NOT NULL,
  monitor_status         TEXT    NOT NULL,
  showcase               INTEGER NOT NULL,
  only_show_if_degraded  INTEGER NOT NULL,
  start_date             TEXT,
  -- Name of the probe that drives the monitor layer; null for components made by hand.
  probe                  TEXT,
  created_at             INTEGER NOT NULL,
  updated_at             INTEGER NOT NULL
) STRICT;

-- Changes of the public status; the first row of a component has no `from_status`.
CREATE TABLE status_component_event (
  seq           INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  component_id  TEXT    NOT NULL REFERENCES status_component (id) ON DELETE CASCADE,
  from_status   TEXT,
  to_status     TEXT    NOT NULL,
  layer         TEXT    NOT NULL CHECK (layer IN ('manual', 'monitor')),
  cause         TEXT    NOT NULL,
  at            INTEGER NOT NULL
) STRICT;

CREATE INDEX status_component_event_by_component ON status_component_event (component_id, at);

CREATE TABLE status_incident (
  seq                                          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id                                           TEXT    NOT NULL UNIQUE,
  kind                                         TEXT    NOT NULL CHECK (kind IN ('realtime', 'maintenance')),
  name                                         TEXT    NOT NULL,
  status                                       TEXT    NOT NULL,
  -- Worst impact that the attached components ever gave; the override wins over it.
  peak_impact                                  TEXT    NOT NULL,
  impact_override                              TEXT,
  backfilled                                   INTEGER NOT NULL,
  created_at                                   INTEGER NOT NULL,
  updated_at                                   INTEGER NOT NULL,
  started_at                                   INTEGER NOT NULL,
  monitoring_at                                INTEGER,
  resolved_at                                  INTEGER,
  scheduled_for                                INTEGER,
  scheduled_until                              INTEGER,
  scheduled_reminded_at                        INTEGER,
  scheduled_remind_prior                       INTEGER NOT NULL,
  scheduled_auto_in_progress                   INTEGER NOT NULL,
  scheduled_auto_completed                     INTEGER NOT NULL,
  auto_transition_to_maintenance_state         INTEGER NOT NULL,
  auto_transition_to_operational_state         INTEGER NOT NULL,
  auto_transition_deliver_notifications_at_start INTEGER NOT NULL,
  auto_transition_deliver_notifications_at_end INTEGER NOT NULL,
  metadata                                     TEXT    NOT NULL,
  reminder_intervals                           TEXT,
  postmortem_body                              TEXT,
  postmortem_body_last_updated_at              INTEGER,
  postmortem_published_at                      INTEGER,
  postmortem_ignored                           INTEGER NOT NULL DEFAULT 0,
  postmortem_notified_subscribers              INTEGER NOT NULL DEFAULT 0,
  postmortem_notified_twitter                  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX status_incident_newest ON status_incident (kind, created_at, seq);
CREATE INDEX status_incident_by_window ON status_incident (kind, scheduled_for, seq);
CREATE INDEX status_incident_open ON status_incident (seq)
  WHERE status IN ('investigating', 'identified', 'monitoring', 'scheduled', 'in_progress', 'verifying');

CREATE TABLE status_incident_update (
  seq                    INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  id                     TEXT    NOT NULL UNIQUE,
  incident_id            TEXT    NOT NULL REFERENCES status_incident (id) ON DELETE CASCADE,
  status                 TEXT    NOT NULL,
  body                   TEXT    NOT NULL,
  created_at             INTEGER NOT NULL,
  updated_at             INTEGER NOT NULL,
  display_at             INTEGER NOT NULL,
  -- JSON array of {code, name, old_status, new_status}: what was known then, never rewritten.
  affected_components    TEXT,
  deliver_notifications  INTEGER NOT NULL
) STRICT;

CREATE INDEX status_incident_update_by_incident ON status_incident_update (incident_id, seq);

CREATE TABLE status_incident_component (
  incident_id   TEXT NOT NULL REFERENCES status_incident (id) ON DELETE CASCADE,
  component_id  TEXT NOT NULL REFERENCES status_component (id) ON DELETE CASCADE,
  PRIMARY KEY (incident_id, component_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX status_incident_component_by_component ON status_incident_component (component_id);
