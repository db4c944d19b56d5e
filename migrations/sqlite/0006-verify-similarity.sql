-- Finding stored compilations that may fit a code, see docs/adr: similar contracts by shape.
-- Rows for compilations of earlier versions are added after the start.

-- Where deployed code of a compilation may vary; shared by all compilations of the same form.
CREATE TABLE runtime_shape (
  id INTEGER PRIMARY KEY,
  length INTEGER NOT NULL,               -- bytes of the deployed code
  auxdata TEXT NOT NULL,                 -- JSON list of [offset, length]
  filled TEXT NOT NULL,                  -- likewise: libraries, immutables, own address of a library
  UNIQUE (length, auxdata, filled)
) STRICT;

CREATE TABLE compilation_likeness (
  compilation_id INTEGER PRIMARY KEY REFERENCES compiled_contract (id),
  shape_id INTEGER NOT NULL REFERENCES runtime_shape (id),
  length INTEGER NOT NULL,               -- that of the shape
  masked_hash BLOB NOT NULL,             -- SHA-256 of the runtime code with zeros in all variable places
  linked_hash BLOB NOT NULL,             -- the same, with auxdata left as they are
  prefix BLOB NOT NULL                   -- first 75 bytes of the compiled runtime code
) STRICT;

CREATE INDEX compilation_likeness_by_hash ON compilation_likeness (masked_hash, linked_hash);
CREATE INDEX compilation_likeness_by_prefix ON compilation_likeness (prefix, length);

-- From a compilation to the metadata that a match keeps.
CREATE INDEX verified_contract_by_compilation ON verified_contract (compilation_id);
CREATE INDEX verification_match_by_verified_contract ON verification_match (verified_contract_id);
