import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { Hex } from '../../src/values/hex.ts';
import { withSubmissions } from '../../src/verify/jobs/queue/with-submissions.ts';
import type { MatchedVerification } from '../../src/verify/jobs/results/verification-result.ts';
import { ANY_JOB, aJob, aLease, anEnd } from '../kit/verify/a-job.ts';
import { aCompilation, aMatch } from '../kit/verify/a-verification.ts';
import { forEachBackend } from './backends.ts';

type RecentWindow = Parameters<Store['verify']['contracts']['listRecent']>[0];

const addressOf = (index: number): Hex => `0x${String(index).padStart(40, '0')}`;
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

/** Ends a job for the address with a result, as the dispatcher does. */
async function verify(
  { verify: { jobs: store } }: Store,
  index: number,
  result: MatchedVerification,
  chainId = '1',
): Promise<void> {
  const jobs = withSubmissions(store);
  await jobs.insert(aJob(addressOf(index), { chainId }), { jobs: 10, bytes: 1_000_000 });
  const job = await jobs.claim(aLease('a', index), ANY_JOB);
  expect(await jobs.complete(job?.id ?? '', 'a', result, anEnd(index))).toBe('matched');
}

/** A contract whose runtime code ends with auxdata of its own. */
function withCode(code: string, auxdata: string): MatchedVerification {
  const compilation = {
    ...aCompilation({ comment: `${code} ${auxdata}` }),
    metadata: `{"auxdata":"${auxdata}"}`,
  };
  const place = { '1': { offset: code.length / 2, value: `0x${auxdata}` as const } };
  return {
    ...aMatch({ compilation, runtime: 'match', creation: null }),
    recompiledRuntime: bytes(`${code}${auxdata}`),
    auxdata: { creation: {}, runtime: place },
  };
}

const withFunctions = (index: number, ...names: readonly string[]): MatchedVerification => ({
  ...aMatch({
    compilation: {
      ...aCompilation({ comment: String(index) }),
      abi: names.map((name) => ({ type: 'function', name, inputs: [] })),
    },
    runtime: 'match',
    creation: null,
  }),
});

/** Two contracts on chain 1, and between them one on chain 7. */
async function verifyThree(store: Store): Promise<Store> {
  for (const [index, chainId] of ['1', '7', '1'].entries()) {
    const compilation = aCompilation({ comment: `ä ${index + 1}` });
    await verify(store, index + 1, aMatch({ compilation, runtime: 'match', creation: null }), chainId);
  }
  return store;
}

forEachBackend('verified contracts', (begin) => {
  test('are found by their address on each chain, with what was verified', async () => {
    const store = await begin().open();
    const { contracts } = store.verify;
    const compilation = aCompilation({ comment: 'a source' });
    const result = aMatch({ compilation, runtime: 'exact_match', creation: 'match' });
    await verify(store, 1, result, '10');
    await verify(store, 1, aMatch({ compilation, runtime: 'match', creation: null }), '9');
    expect(await contracts.findMatch('10', addressOf(1))).toMatchObject({
      chainId: '10',
      address: addressOf(1),
      runtime: 'exact_match',
      creation: 'match',
      verifiedAt: 1,
    });
    expect((await contracts.listMatchesOfAddress(addressOf(1))).map(({ chainId }) => chainId)).toEqual([
      '9',
      '10',
    ]);
    const whole = await contracts.findContract('10', addressOf(1));
    expect(whole).toMatchObject({
      sources: { 'a.sol': { content: 'a source' } },
      compilation: { language: 'Solidity', compilerVersion: '0.8.30+commit.73712a01', name: 'A' },
    });
    expect(Buffer.from(whole?.runtime.recompiled ?? [])).toEqual(Buffer.from(result.recompiledRuntime ?? []));
    const { sources: _, signatures: __, ...compiled } = whole ?? expect.fail('it is stored');
    expect(await contracts.findCompiled('10', addressOf(1))).toEqual(compiled);
    expect(await contracts.findName('10', addressOf(1))).toBe('A');
    expect(await contracts.findRuntimeHash('10', addressOf(1))).toHaveLength(32);
    const [size, withoutFiles] = [
      await contracts.sizeOfContract('10', addressOf(1), true),
      await contracts.sizeOfContract('10', addressOf(1), false),
    ];
    expect(Number(size) - Number(withoutFiles)).toBeGreaterThanOrEqual('a source'.length);
    expect(await contracts.findWithoutFiles('10', addressOf(1))).toEqual({
      ...compiled,
      sources: {},
      signatures: [],
    });
  });

  test('give their files one by one', async () => {
    const { contracts } = (
      await begin()
        .open()
        .then((store) => verifyThree(store))
    ).verify;
    const place = ['1', addressOf(1)] as const;
    expect(await contracts.listSources(...place)).toEqual([{ path: 'a.sol', bytes: 4 }]);
    expect(await contracts.findSource(...place, 'a.sol')).toBe('ä 1');
    expect(await contracts.findSource(...place, 'b.sol')).toBeNull();
    expect(await contracts.listSources('9', addressOf(1))).toEqual([]);
    expect(await contracts.findSource('9', addressOf(1), 'a.sol')).toBeNull();
  });

  test('are listed newest first, of one chain or all, window by window', async () => {
    const { contracts } = (
      await begin()
        .open()
        .then((store) => verifyThree(store))
    ).verify;
    const numbers = async (window: Partial<RecentWindow>) =>
      (await contracts.listRecent({ chainId: null, limit: 10, beforeMatchId: null, ...window })).map(
        ({ matchId }) => matchId,
      );
    expect(await numbers({})).toEqual([3n, 2n, 1n]);
    expect(await numbers({ limit: 2 })).toEqual([3n, 2n]);
    expect(await numbers({ beforeMatchId: 2n })).toEqual([1n]);
    expect(await numbers({ chainId: '1' })).toEqual([3n, 1n]);
    expect(await numbers({ chainId: '1', beforeMatchId: 3n })).toEqual([1n]);
    expect(await numbers({ beforeMatchId: 2n ** 70n, chainId: '7' })).toEqual([2n]);
    expect(await contracts.listRecent({ chainId: '7', limit: 1, beforeMatchId: null })).toMatchObject([
      { chainId: '7', name: 'A', language: 'Solidity', compilerVersion: '0.8.30+commit.73712a01' },
    ]);
  });

  test('are listed with their names for an address', async () => {
    const store = await begin().open();
    for (const chainId of ['10', '9']) await verify(store, 1, withFunctions(1, 'f'), chainId);
    const named = await store.verify.contracts.listNamedOfAddress(addressOf(1));
    expect(named.map(({ chainId, name }) => [chainId, name])).toEqual([
      ['9', 'A'],
      ['10', 'A'],
    ]);
    expect(await store.verify.contracts.listNamedOfAddress(addressOf(2))).toEqual([]);
  });

  test('name others whose code is alike, without themselves', async () => {
    const store = await begin().open();
    const { contracts, candidates } = store.verify;
    await verify(store, 1, withCode('6001', 'a1'));
    await verify(store, 2, withCode('6001', 'b2'), '7');
    await verify(store, 3, withCode('6002', 'a1'));
    const addresses = async (index: number, limit = 10) =>
      (await contracts.listSimilar(index === 2 ? '7' : '1', addressOf(index), limit)).map(
        ({ address }) => address,
      );
    expect(await addresses(1)).toEqual([addressOf(2)]);
    expect(await addresses(2)).toEqual([addressOf(1)]);
    expect(await addresses(3)).toEqual([]);
    expect(await addresses(1, 0)).toEqual([]);
    const ids = await candidates.find(bytes('6001a1'), 10);
    const matches = await contracts.listOfCompilations(ids, 10);
    expect(matches.map(({ address }) => address)).toContain(addressOf(2));
    expect(await contracts.listOfCompilations(ids, 1)).toHaveLength(1);
  });

  test('are unknown elsewhere', async () => {
    const store = await begin().open();
    const { contracts } = store.verify;
    await verify(store, 1, withFunctions(1, 'f'));
    const elsewhere = ['1', addressOf(2)] as const;
    expect([
      await contracts.findMatch(...elsewhere),
      await contracts.findContract(...elsewhere),
      await contracts.findCompiled(...elsewhere),
      await contracts.findName(...elsewhere),
      await contracts.findRuntimeHash(...elsewhere),
      await contracts.sizeOfContract(...elsewhere, true),
      await contracts.findMatch('2', addressOf(1)),
    ]).toEqual([null, null, null, null, null, null, null]);
    expect(await contracts.listMatchesOfAddress(addressOf(2))).toEqual([]);
  });

  test('of a chain are listed in both directions', async () => {
    const store = await begin().open();
    for (let index = 1; index <= 5; index++) await verify(store, index, withFunctions(1, 'f'));
    const ids = async (sort: 'asc' | 'desc', limit: number, afterMatchId: bigint | null) =>
      (await store.verify.contracts.listMatchesOfChain('1', { sort, limit, afterMatchId })).map(
        ({ matchId }) => matchId,
      );
    expect(await ids('desc', 3, null)).toEqual([5n, 4n, 3n]);
    expect(await ids('desc', 2, 4n)).toEqual([3n, 2n]);
    expect(await ids('asc', 2, 1n)).toEqual([2n, 3n]);
  });
});

forEachBackend('the search for similar compilations', (begin) => {
  const auxdataOf = (index: number) => `a1${index.toString(16).padStart(4, '0')}`;

  test('finds the exact one among many that differ in their auxdata only', async () => {
    const store = await begin().open();
    const { candidates } = store.verify;
    for (let index = 1; index <= 40; index++)
      await verify(store, index, withCode('60016002', auxdataOf(index)));
    const [first, ...others] = await candidates.find(bytes(`60016002${auxdataOf(39)}`), 20);
    expect(others).toHaveLength(19);
    const { compilation } = await candidates.read(first ?? 0n);
    expect(compilation).toMatchObject({
      input: { sources: { 'a.sol': { content: `60016002 ${auxdataOf(39)}` } } },
      metadata: `{"auxdata":"${auxdataOf(39)}"}`,
    });
    expect(await candidates.find(bytes('60016003a10000'), 20)).toEqual([]);
  });

  test('puts Yul after everything else, as it can copy any code', async () => {
    const store = await begin().open();
    const inYul = (result: MatchedVerification): MatchedVerification => {
      const { compilation } = result;
      return {
        ...result,
        compilation: { ...compilation, compiler: { ...compilation.compiler, language: 'Yul' } },
      };
    };
    const other = withCode('60016002', 'a1ffff');
    for (let index = 1; index <= 25; index++) {
      const { recompiledRuntime } = withCode('60016002', auxdataOf(1));
      const copy = withCode(`60016002 copy ${index}`, auxdataOf(1));
      await verify(store, index, inYul({ ...copy, recompiledRuntime }));
    }
    await verify(store, 26, other);
    const [first, ...others] = await store.verify.candidates.find(bytes(`60016002${auxdataOf(1)}`), 20);
    expect(others).toHaveLength(19);
    expect((await store.verify.candidates.read(first ?? 0n)).compilation).toMatchObject({
      compiler: { language: 'Solidity' },
    });
  });

  test('puts equal length before an equal beginning', async () => {
    const store = await begin().open();
    const beginning = '60'.repeat(75);
    await verify(store, 1, withCode(`${beginning}0102`, auxdataOf(1)));
    await verify(store, 2, withCode(`${beginning}03`, auxdataOf(1)));
    await verify(store, 3, withCode(`${beginning}04`, auxdataOf(2)));
    const found = await store.verify.candidates.find(bytes(`${beginning}04${auxdataOf(1)}`), 20);
    expect(found).toEqual([3n, 2n, 1n]);
  });
});

forEachBackend('the signatures of verified contracts', (begin) => {
  test('are found by their hash, the commonest first, and listed and counted in order', async () => {
    const store = await begin().open();
    const { signatures } = store.verify;
    await verify(store, 1, withFunctions(1, 'alpha', 'beta'));
    await verify(store, 2, withFunctions(2, 'beta', 'gamma'));
    const window = { prefix: '', after: '', limit: 10 };
    const all = await signatures.listByText(window);
    expect(all.map(({ signature }) => signature)).toEqual(['alpha()', 'beta()', 'gamma()']);
    expect(all[0]?.types).toEqual(['function']);
    const after = await signatures.listByText({ ...window, after: 'alpha()', limit: 1 });
    expect(after.map(({ signature }) => signature)).toEqual(['beta()']);
    const prefixed = await signatures.listByText({ ...window, prefix: 'ga' });
    expect(prefixed.map(({ signature }) => signature)).toEqual(['gamma()']);
    const hash = all[1]?.hash ?? '';
    expect(await signatures.listByHash('function', hash.slice(0, 8))).toEqual(['beta()']);
    expect(await signatures.listByHash('event', hash.slice(0, 8))).toEqual([]);
    expect((await signatures.listByHash('function', ''))[0]).toBe('beta()');
    const first = await signatures.countAfter('', 2);
    expect(first.kinds.function).toBe(2);
    const rest = await signatures.countAfter(first.last ?? '', 2);
    expect(rest.kinds.function).toBe(1);
    expect((await signatures.countAfter(rest.last ?? '', 2)).last).toBeNull();
  });
});
