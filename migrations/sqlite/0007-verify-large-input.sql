-- Input of more than a MiB is stored in gzip; the text is empty then.

ALTER TABLE verification_job_input ADD COLUMN packed BLOB;
