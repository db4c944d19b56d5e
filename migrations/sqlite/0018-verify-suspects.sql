-- Jobs whose process died while it ran them: each runs alone until it ends, so that a further death names one job.

ALTER TABLE verification_job ADD COLUMN is_suspect INTEGER NOT NULL DEFAULT 0;
-- Processes that died while this was the only job that they ran.
ALTER TABLE verification_job ADD COLUMN lone_crashes INTEGER NOT NULL DEFAULT 0;

-- Until now every claim counted, so these may have been interrupted.
UPDATE verification_job SET is_suspect = 1
  WHERE finished_at IS NULL AND claims > 0 AND lease_owner IS NULL;
ALTER TABLE verification_job DROP COLUMN claims;

CREATE INDEX verification_job_suspect ON verification_job (lone_crashes, started_at, id)
  WHERE is_suspect = 1 AND finished_at IS NULL AND lease_owner IS NULL;
