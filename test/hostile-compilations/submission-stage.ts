import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Hex, toHex } from '../../src/values/hex.ts';
import type { Compilation } from '../../src/verify/compile/compiler.ts';
import { prepareCode } from '../../src/verify/jobs/results/prepare-code.ts';
import type { MatchGrade } from '../../src/verify/match/compiled-code.ts';
import { applyTransformations } from '../../src/verify/match/transformations.ts';
import { type JobAnswer, verifyToEnd } from '../kit/verify/await-job.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../kit/verify/mock-chain.ts';
import { serveArea } from '../kit/verify/serve-area.ts';
import { storedVerifications } from '../support/sqlite-file.ts';
import { type CompileBench, CompilerRefusal } from './compile-bench.ts';
import type { Deployed } from './verify-deployed.ts';

/** The area with a chain whose contracts are added on the way. */
export interface SubmissionStage {
  /** Deploys, submits, and gives the job at its end. */
  verify(address: Hex, deployed: Deployed, form: string, body: object): Promise<JobAnswer>;
  /** What is wrong with the record of a contract: it must give its code and all that it shows. Empty is good. */
  judgeRecord(address: Hex, deployed: Deployed, version: string): Promise<readonly string[]>;
  /** The language that is shown, null without a match, and how many verifications of the contract are stored. */
  standing(address: Hex): Promise<{ readonly language: string | null; readonly records: number }>;
  close(): Promise<void>;
}

/** @param cacheFolder compilers that the bench has fetched; the database goes there too. */
export async function openStage(bench: CompileBench, cacheFolder: string): Promise<SubmissionStage> {
  const contracts = new Map<string, MockContract>();
  const file = join(cacheFolder, 'submissions.sqlite');
  const served = await serveArea({
    chainsJson: MOCK_CHAINS,
    fetch: mockChainFetch(contracts),
    workers: 1,
    compilerCacheDir: cacheFolder,
    firstPollMs: 10_000,
    file,
  });
  return {
    async verify(address, { creation, life, runtime }, form, body) {
      const transactionHash = toHex(createHash('sha256').update(address).digest());
      const made = creation === null ? {} : { creation: toHex(creation), transactionHash };
      const after = life === 'present' ? {} : { after: life === 'earlier' ? EARLIER : null };
      contracts.set(address, { runtime: toHex(runtime), ...made, ...after });
      const submission = creation === null ? body : { ...body, creationTransactionHash: transactionHash };
      return (await verifyToEnd(served.app, `${form}31337/${address}`, submission)).job;
    },
    async judgeRecord(address, deployed, version) {
      const shown = (await served.app.inject(`/v2/contract/31337/${address}?fields=all`)).json<Shown>();
      return judgeShown(shown, deployed, await recompile(bench, shown, version));
    },
    async standing(address) {
      const shown = await served.app.inject(`/v2/contract/31337/${address}?fields=compilation`);
      const { compilation } = shown.json<{ readonly compilation?: { readonly language: string } }>();
      const language = compilation?.language ?? null;
      return { language, records: storedVerifications(`sqlite:${file}`, address) };
    },
    close: () => served.close(),
  };
}

const EARLIER = '0x6001600055';

interface ShownCode {
  readonly recompiledBytecode: string;
  readonly transformations: Parameters<typeof applyTransformations>[1] | null;
  readonly transformationValues: Parameters<typeof applyTransformations>[2] | null;
  readonly linkReferences: unknown;
  readonly immutableReferences?: unknown;
  readonly sourceMap: unknown;
}

interface Shown {
  readonly creationMatch: MatchGrade | null;
  readonly runtimeMatch: MatchGrade | null;
  readonly creationBytecode: ShownCode;
  readonly runtimeBytecode: ShownCode;
  readonly compilation: { readonly name: string; readonly fullyQualifiedName: string };
  readonly stdJsonInput: Compilation['input'];
  readonly [field: string]: unknown;
}

async function recompile(bench: CompileBench, shown: Shown, version: string): Promise<Compilation> {
  const { fullyQualifiedName, name } = shown.compilation;
  const target = { path: fullyQualifiedName.slice(0, -(name.length + 1)), name };
  const contract = { input: shown.stdJsonInput, target };
  const whole = await unlessRefused(bench.compile(contract, version, 'all'));
  const isSame =
    whole !== null && toHex(prepareCode(whole).runtime) === shown.runtimeBytecode.recompiledBytecode;
  // In some versions the selection of outputs changes the code, and the server asks for one contract first; another one
  // may be too much for the compiler.
  return isSame ? whole : bench.compile(contract, version, 'target');
}

async function unlessRefused(compilation: Promise<Compilation>): Promise<Compilation | null> {
  try {
    return await compilation;
  } catch (error) {
    if (error instanceof CompilerRefusal) return null;
    throw error;
  }
}

function judgeShown(shown: Shown, onchain: Deployed, compilation: Compilation): readonly string[] {
  const prepared = prepareCode(compilation);
  const sides = (['creation', 'runtime'] as const).flatMap((side) => {
    const { recompiledBytecode, transformations, transformationValues, ...rest } = shown[`${side}Bytecode`];
    const applied =
      transformations === null || transformationValues === null
        ? null
        : applyTransformations(prepared[side], transformations, transformationValues);
    return [
      ...(toHex(prepared[side]) === recompiledBytecode ? [] : [`the sources give other ${side} code`]),
      ...(applied === null || Buffer.compare(applied, onchain[side] ?? new Uint8Array()) === 0
        ? []
        : [`the record does not give the ${side} code on chain`]),
      ...differing(rest, compilation[side], ['linkReferences', 'sourceMap']),
      ...(side === 'creation' ? [] : differing(rest, compilation.runtime, ['immutableReferences'])),
    ];
  });
  const { metadata, sourceIds } = compilation;
  const own = { ...compilation, metadata: metadata === null ? null : JSON.parse(metadata), sourceIds };
  const fields = [
    'abi',
    'userdoc',
    'devdoc',
    'storageLayout',
    'transientStorageLayout',
    'metadata',
    'sourceIds',
  ];
  return [...sides, ...differing(shown, own, fields)];
}

function differing(shown: object, own: object, fields: readonly string[]): readonly string[] {
  const [left, right] = [shown as Record<string, unknown>, own as Record<string, unknown>];
  return fields
    .filter((field) => !isDeepStrictEqual(left[field] ?? null, right[field] ?? null))
    .map((field) => `${field} is not that of the sources`);
}
