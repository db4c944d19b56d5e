-- Following and bounding verifications: warnings, the size of waiting input, the age of kept bytecodes.

ALTER TABLE verification_job ADD COLUMN warnings TEXT;   -- JSON list of sentences; null when there are none
ALTER TABLE verification_job ADD COLUMN input_bytes INTEGER NOT NULL DEFAULT 0;

UPDATE verification_job SET input_bytes = coalesce(
    (SELECT length(CAST(input AS BLOB)) FROM verification_job_input WHERE job_id = verification_job.id), 0)
  WHERE finished_at IS NULL;

-- Answers the place in the queue, the number of waiting jobs and their size without touching the table; the two
-- columns that are always null here are part of it, since SQLite looks at them again.
CREATE INDEX verification_job_waiting ON verification_job (started_at, id, input_bytes, finished_at, lease_owner)
  WHERE finished_at IS NULL AND lease_owner IS NULL;

ALTER TABLE verification_job_bytecode ADD COLUMN stored_at INTEGER NOT NULL DEFAULT 0;

UPDATE verification_job_bytecode SET stored_at = coalesce(
    (SELECT finished_at FROM verification_job WHERE id = verification_job_bytecode.job_id), 0);

CREATE INDEX verification_job_bytecode_by_age ON verification_job_bytecode (stored_at);
