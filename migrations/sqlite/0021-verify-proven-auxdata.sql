-- Earlier versions stored positions of auxdata that only looked like them. What is proven of those is the end of the
-- runtime code, and the same value in the creation code; in Yul there are none. Other places are forgotten.

UPDATE compiled_contract SET runtime_code_artifacts = json_set(runtime_code_artifacts, '$.cborAuxdata', json((
    SELECT json_group_object(entry.key, json(entry.value))
    FROM json_each(runtime_code_artifacts, '$.cborAuxdata') AS entry
    JOIN code ON code.code_hash = runtime_code_hash
    WHERE language = 'Solidity'
      AND entry.value ->> '$.offset' + length(entry.value ->> '$.value') / 2 - 1 = length(code.code))))
  WHERE language IN ('Solidity', 'Yul') AND json_type(runtime_code_artifacts, '$.cborAuxdata') = 'object';

UPDATE compiled_contract SET creation_code_artifacts = json_set(creation_code_artifacts, '$.cborAuxdata', json((
    SELECT json_group_object(entry.key, json(entry.value))
    FROM json_each(creation_code_artifacts, '$.cborAuxdata') AS entry
    JOIN json_each(runtime_code_artifacts, '$.cborAuxdata') AS own
      ON own.value ->> '$.value' = entry.value ->> '$.value')))
  WHERE language IN ('Solidity', 'Yul') AND json_type(creation_code_artifacts, '$.cborAuxdata') = 'object';
