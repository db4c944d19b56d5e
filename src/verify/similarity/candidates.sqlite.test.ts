import { afterEach, describe, expect, test } from 'vitest';
import { aCompilation } from '../../../test/kit/verify/a-verification.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { createInlineWriter } from '../../storage/writer/inline-writer.ts';
import { parseHex } from '../../values/hex.ts';
import { doNow } from '../../values/work.ts';
import { prepareStoreVerification } from '../jobs/results/store-verification.sql.ts';
import type { MatchedVerification } from '../jobs/results/verification-result.ts';
import { createCandidateRepository } from './candidate-repository.sql.ts';
import { candidateWrites } from './candidate-writes.sql.ts';
import { LikenessBackfill } from './likeness-backfill.ts';

let database: SqliteDatabase | undefined;
afterEach(() => database?.close());

function aStore() {
  database = openDatabase(':memory:');
  const sql = sqliteSql(database);
  const store = prepareStoreVerification(sql);
  let count = 0;
  return {
    database,
    candidates: createCandidateRepository(sql, createInlineWriter(database, candidateWrites(sql))),
    store: (verification: MatchedVerification) =>
      doNow(store('1', `0x${(++count).toString(16).padStart(40, '0')}`, verification, 0)),
  };
}

const bytes = (hex: string) => parseHex(hex) ?? new Uint8Array();

/** A verification whose runtime code ends in an auxdata of three bytes. */
function aVerification({
  code,
  auxdata,
}: {
  readonly code: string;
  readonly auxdata: string;
}): MatchedVerification {
  const runtime = bytes(code + auxdata);
  const base = aCompilation({ comment: `${code} ${auxdata}` });
  const positions = { '1': { value: `0x${auxdata}` as const, offset: code.length / 2 } };
  return {
    kind: 'matched',
    compilation: { ...base, metadata: `{"auxdata":"${auxdata}"}` },
    recompiledCreation: runtime,
    recompiledRuntime: runtime,
    auxdata: { creation: positions, runtime: positions },
    matches: { creation: null, runtime: { grade: 'match', transformations: [], values: {} } },
    onchainRuntime: runtime,
    creation: null,
    compilationMs: 1,
  };
}

const auxdataOf = (index: number) => `a1${index.toString(16).padStart(4, '0')}`;

describe('the search for similar compilations', () => {
  test('makes compilations of an earlier version findable', async () => {
    const { database: opened, candidates, store } = aStore();
    for (let index = 0; index < 45; index++)
      store(aVerification({ code: '6001', auxdata: auxdataOf(index) }));
    opened.exec('DELETE FROM compilation_likeness; DELETE FROM runtime_shape');
    const target = bytes(`6001${auxdataOf(44)}`);
    expect(await candidates.find(target, 20)).toEqual([]);
    expect(await candidates.indexOld(20)).toBe(20);
    const faults: unknown[] = [];
    const backfill = new LikenessBackfill({ candidates, onFault: (error) => faults.push(error) });
    backfill.start();
    while ((await candidates.find(target, 20))[0] !== 45n)
      await new Promise((resolve) => setImmediate(resolve));
    await backfill.close();
    expect(faults).toEqual([]);
    expect(await candidates.indexOld(20)).toBe(0);
  });
});
