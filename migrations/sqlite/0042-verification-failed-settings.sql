-- Settings of a compilation that did not match, as JSON of pairs of name and value: they are compared with those that
-- the metadata of the code on chain tell.
ALTER TABLE verification_job_bytecode ADD COLUMN recompiled_settings TEXT;
