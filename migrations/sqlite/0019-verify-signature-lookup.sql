-- Signatures are looked up by kind and hash, and searched by text.

CREATE INDEX compiled_contract_signature_by_hash
  ON compiled_contract_signature (signature_type, signature_hash_32);

CREATE INDEX signature_by_text ON signature (signature);
