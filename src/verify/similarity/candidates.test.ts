import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { sharedDataMissing, sharedPath } from '../../../test/shared-data.ts';
import { openDatabase } from '../../storage/open-database.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { createInlineWriter } from '../../storage/writer/inline-writer.ts';
import { parseHex } from '../../values/hex.ts';
import type { Compilation } from '../compile/compiler.ts';
import { attemptSimilarity } from '../jobs/attempts/attempt-similarity.ts';
import { prepareStoreVerification } from '../jobs/results/store-verification.sqlite.ts';
import type { MatchedVerification } from '../jobs/results/verification-result.ts';
import { aCompilation } from '../testing/a-verification.ts';
import { createSqliteCandidateRepository } from './candidate-repository.sqlite.ts';
import { candidateWrites } from './candidate-writes.sqlite.ts';
import { LikenessBackfill } from './likeness-backfill.ts';

if (sharedDataMissing !== null) console.warn(sharedDataMissing);

let database: SqliteDatabase | undefined;
afterEach(() => database?.close());

function aStore() {
  database = openDatabase(':memory:');
  const store = prepareStoreVerification(database);
  let count = 0;
  return {
    database,
    candidates: createSqliteCandidateRepository(
      database,
      createInlineWriter(database, candidateWrites(database)),
    ),
    store: (verification: MatchedVerification) =>
      store('1', `0x${(++count).toString(16).padStart(40, '0')}`, verification, 0),
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
  test('finds the exact one among hundreds that differ in their auxdata only', async () => {
    const { candidates, store } = aStore();
    for (let index = 0; index < 400; index++)
      store(aVerification({ code: '60016002', auxdata: auxdataOf(index) }));
    const [first, ...others] = await candidates.find(bytes(`60016002${auxdataOf(390)}`), 20);
    expect(others).toHaveLength(19);
    const { compilation } = await candidates.read(first ?? 0n);
    expect(compilation).toMatchObject({
      input: { sources: { 'a.sol': { content: `60016002 ${auxdataOf(390)}` } } },
      metadata: `{"auxdata":"${auxdataOf(390)}"}`,
    });
    expect(await candidates.find(bytes('60016003a10000'), 20)).toEqual([]);
  });

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

describe.skipIf(sharedDataMissing !== null)('similar contracts in other languages', () => {
  test.each(['vyper/constructor_args_immutables', 'vyper/auxdata-0.4.1', 'fe/single_file', 'yul'])(
    '%s is found and matches as if it had been compiled',
    async (name) => {
      const path = sharedPath('cases', 'verifier-alliance', ...`${name}.json`.split('/'));
      const { onchain, input, output, verification } = JSON.parse(readFileSync(path, 'utf8'));
      const { language, ...members } = input.stdJsonInput;
      const [file = '', contract = ''] = input.contractIdentifier.split(':');
      const { creationCodeArtifacts: creation, runtimeCodeArtifacts: runtime } = output;
      const compilation: Compilation = {
        ...aCompilation({}),
        ...output.compilationArtifacts,
        compiler: { language, version: input.compilerVersion },
        compilerName: language === 'Yul' ? 'solc' : language.toLowerCase(),
        target: { path: file, name: contract },
        input: { language, ...members },
        creation: { object: output.creationBytecode, ...creation },
        runtime: { object: output.deployedBytecode, ...runtime },
        sourceHashes: {},
      };
      const { candidates, store } = aStore();
      store({
        kind: 'matched',
        compilation,
        recompiledCreation: bytes(output.creationBytecode),
        recompiledRuntime: bytes(output.deployedBytecode),
        auxdata: { creation: creation.cborAuxdata ?? {}, runtime: runtime.cborAuxdata ?? {} },
        matches: { creation: null, runtime: { grade: 'match', transformations: [], values: {} } },
        onchainRuntime: bytes(onchain.deployedBytecode),
        creation: null,
        compilationMs: 1,
      });
      const attempt = await attemptSimilarity({
        candidates,
        onchain: {
          address: `0x${'0'.repeat(40)}`,
          runtime: bytes(onchain.deployedBytecode),
          creation: async () => bytes(onchain.creationBytecode),
        },
        progress: { signal: new AbortController().signal, enter() {}, warn() {} },
      });
      expect(attempt).toMatchObject({
        kind: 'compared',
        matches: {
          creation: {
            grade: verification.creationMatch,
            transformations: verification.creationTransformations,
          },
          runtime: { grade: verification.runtimeMatch, values: verification.runtimeValues },
        },
      });
    },
  );
});
