-- How long measured parts took, counted by day of the page's zone (docs/adr/0073).

CREATE TABLE status_response_time (
  probe   TEXT    NOT NULL,
  -- YYYY-MM-DD
  date    TEXT    NOT NULL,
  -- Four to each doubling: n holds what took more than 2^((n-1)/4) ms and at most 2^(n/4) ms.
  bucket  INTEGER NOT NULL,
  count   INTEGER NOT NULL,
  PRIMARY KEY (probe, date, bucket)
) STRICT, WITHOUT ROWID;
