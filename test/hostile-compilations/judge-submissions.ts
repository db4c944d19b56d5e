import { toHex } from '../../src/values/hex.ts';
import type { Compilation } from '../../src/verify/compile/compiler.ts';
import { prepareCode } from '../../src/verify/jobs/results/prepare-code.ts';
import type { CodeSide } from '../../src/verify/match/auxdata/auxdata-positions.ts';
import type { MatchGrade } from '../../src/verify/match/compiled-code.ts';
import { libraryPlaces } from '../../src/verify/match/link-references.ts';
import { isBefore } from '../../src/verify/match/version-order.ts';
import {
  type StandardJson,
  settingsOf,
  withContents,
  withEditedSources,
} from '../../src/verify/standard-json.ts';
import type { CompileBench } from './compile-bench.ts';
import { type Deployment, deploy, type Range } from './deployment.ts';
import { OTHER_SETTINGS, SETTINGS } from './drawn-settings.ts';
import { type HostileContract, type Kind, MARKER, writeContract } from './hostile-contracts.ts';
import { allHashes, type Mutation, mutate, type Verdict } from './mutations.ts';
import { type Random, seeded } from './random.ts';
import type { SubmissionStage } from './submission-stage.ts';
import type { Deployed } from './verify-deployed.ts';

/** In what a submission differs from the contract on chain, if in anything. */
export const CHANGES = [
  'honest',
  'comment',
  'logic',
  'settings',
  'libraries',
  'metadata',
  'mutated chain',
] as const;
export type Change = (typeof CHANGES)[number];

type Grade = MatchGrade | null;
/** Grades that are allowed. */
type Wanted = Readonly<Record<CodeSide, readonly Grade[]>>;

/** What one submission came to. */
export interface JudgedSubmission {
  readonly change: Change;
  readonly grade: Grade;
  /** Whether a record was stored, and compiled again. */
  readonly isRecorded: boolean;
  /** Each with all that repeats it; empty is good. */
  readonly wrong: readonly string[];
}

/** A submission before it is sent. */
interface Drawn {
  readonly form: '' | 'metadata/' | 'similarity/';
  readonly input: StandardJson;
  readonly deployed: Deployed;
  readonly want: Wanted;
}

/** A contract that is on chain, and everything that submissions are made of. */
interface Original {
  readonly contract: HostileContract;
  readonly compilation: Compilation;
  readonly grade: MatchGrade;
  readonly compile: (input: StandardJson) => Promise<Compilation>;
}

/**
 * Compiles a contract and submits it with each change.
 *
 * @returns null when this solc refuses these settings for this kind.
 */
export async function judgeSubmissions(
  bench: CompileBench,
  stage: SubmissionStage,
  [kind, setting, version]: readonly [Kind, string, string],
  seed: number,
): Promise<readonly JudgedSubmission[] | null> {
  const names = [kind, setting, version];
  const random = seeded(seed, ...names);
  const compile = (each: HostileContract) => bench.compile(each, version);
  const drawn = SETTINGS[setting]?.[1] ?? {};
  let contract: HostileContract;
  let compilation: Compilation;
  try {
    contract = await writeContract(
      kind,
      version,
      random,
      async (other) => auxdataOf(await compile(other)),
      drawn,
    );
    compilation = await compile(contract);
  } catch (error) {
    if (error instanceof Error && error.message.includes(' refused ')) return null;
    throw error;
  }
  const edited = await compile({ ...contract, input: withEditedSources(contract.input) });
  const { target } = contract;
  const original: Original = {
    contract,
    compilation,
    grade: hasHash(contract.input, version) ? 'exact_match' : 'match',
    compile: (input) => compile({ input, target }),
  };

  const judged: JudgedSubmission[] = [];
  for (const change of CHANGES) {
    const deployment = deploy(compilation, edited, random);
    const { deployed, form, input, want } = await draw(change, original, deployment, random);
    const job = await stage.verify(deployment.address, deployed, form, bodyOf(form, input, original));
    const got = {
      creation: (job.contract['creationMatch'] ?? null) as Grade,
      runtime: (job.contract['runtimeMatch'] ?? null) as Grade,
    };
    const isRecorded = got.creation !== null || got.runtime !== null;
    const unwanted = (['creation', 'runtime'] as const)
      .filter((side) => !want[side].includes(got[side]))
      .map(
        (side) =>
          `${side} is ${got[side]}, not ${want[side].join(' or ')}: ${job.error?.message.slice(0, 300)}`,
      );
    const inRecord = isRecorded ? await stage.judgeRecord(deployment.address, deployed, version) : [];
    const where = `seed ${seed}, ${names.join(', ')}, ${form}${change}`;
    judged.push({
      change,
      grade: job.contract['match'] as Grade,
      isRecorded,
      wrong: [...unwanted, ...inRecord].map((line) => `${where}: ${line}`),
    });
  }
  return judged;
}

function auxdataOf({ assembly, runtime }: Compilation): string {
  return assembly.find(({ isOwn }) => isOwn)?.value ?? runtime.object.slice(-86);
}

/** Only code that holds a hash of its sources can be exact. */
function hasHash(input: StandardJson, version: string): boolean {
  const { metadata, viaIR } = settingsOf(input);
  const { appendCBOR, bytecodeHash } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  return (
    input.language === 'Solidity' &&
    // By way of the IR, code has none below 0.8.6.
    !isBefore(version, viaIR === true ? '0.8.6' : '0.4.7') &&
    bytecodeHash !== 'none' &&
    appendCBOR !== false
  );
}

async function draw(
  change: Change,
  original: Original,
  deployment: Deployment,
  random: Random,
): Promise<Drawn> {
  const { compilation, contract, grade } = original;
  const { code } = deployment;
  const { input } = contract;
  const as = (want: Grade, other: Partial<Drawn> = {}): Drawn => ({
    form: '',
    input,
    deployed: { ...code, life: 'present' },
    want: { creation: [want], runtime: [want] },
    ...other,
  });
  const isYul = input.language === 'Yul';
  switch (change) {
    case 'honest':
      return as(grade);
    case 'comment':
      return as('match', { input: mapSources(input, (text) => `${text}\n// ${random.below(1e9)}`) });
    case 'logic':
      return as(null, {
        input: mapSources(input, (text) => text.replaceAll(MARKER, String(Number(MARKER) + 1))),
      });
    case 'settings': {
      const settings = isYul
        ? { optimizer: { enabled: true } }
        : random.pick(OTHER_SETTINGS)(settingsOf(input));
      const other = { ...input, settings };
      return as(null, { input: other, want: wantedOf(await original.compile(other), original, deployment) });
    }
    case 'libraries':
      return isYul ? as(grade) : linked(original, code, random, as);
    case 'metadata': {
      const way = random.below(3);
      if (way === 0 && compilation.metadata !== null) return as(grade, { form: 'metadata/' });
      if (way === 1) return as(grade, { form: 'similarity/' });
      if (deployment.hashes.runtime.length === 0) return as(grade);
      const { hashes } = deployment;
      const other = (side: CodeSide) => allHashes(code[side], hashes[side], random) ?? code[side];
      const changed = { creation: other('creation'), runtime: other('runtime'), life: 'present' } as const;
      return as('match', { deployed: changed });
    }
    case 'mutated chain': {
      for (;;) {
        const mutation = mutate(deployment, compilation.assembly, hasMetadataOf(compilation), random);
        if (mutation === null) continue;
        const state: Deployed = { ...code, life: 'present', ...mutation.deployed };
        return as(null, { deployed: state, want: wantedAfter(mutation, state, grade, deployment) });
      }
    }
  }
}

/** The sides that a mutation says nothing about depend on the other one. */
export function wantedAfter(
  { want }: Mutation,
  { creation }: Deployed,
  grade: MatchGrade,
  { pointers }: Deployment,
): Wanted {
  const gradeOf = (verdict: Verdict): Grade =>
    verdict === 'null' ? null : verdict === 'match' ? 'match' : grade;
  const runtime = want.runtime === undefined ? null : gradeOf(want.runtime);
  const isLost = want.runtime === 'null';
  // Codes of other length are refused before the creation is compared, which is never exact by itself. What an
  // immutable points to is checked with the creation only.
  const creations: readonly Grade[] = creation === null ? [null] : isLost ? [null, 'match'] : [grade];
  return {
    creation: want.creation === undefined ? creations : [gradeOf(want.creation)],
    runtime: want.runtime !== undefined ? [runtime] : pointers.length > 0 ? [grade, 'match'] : [grade],
  };
}

function hasMetadataOf({ compiler }: Compilation): boolean {
  return !isBefore(compiler.version, '0.4.7');
}

function mapSources(input: StandardJson, map: (text: string) => string): StandardJson {
  return withContents(
    input,
    Object.fromEntries(Object.entries(input.sources).map(([path, { content }]) => [path, map(content)])),
  );
}

/** Libraries that the settings link: where they lie, or elsewhere; in a contract without any, one that nobody uses. */
function linked(
  { contract: { input }, compilation }: Original,
  code: Deployment['code'],
  random: Random,
  as: (want: Grade, other: Partial<Drawn>) => Drawn,
): Drawn {
  const places = libraryPlaces(compilation.runtime.linkReferences ?? {});
  const isElsewhere = places.length > 0 && random.below(2) === 0;
  const libraries: Record<string, Record<string, string>> = {};
  for (const { id, start } of places) {
    const [path = '', name = ''] = id.split(':');
    const there = code.runtime.subarray(start, start + 20);
    libraries[path] = { ...libraries[path], [name]: toHex(isElsewhere ? random.bytes(20) : there) };
  }
  if (places.length === 0) libraries['P.sol'] = { Nobody: toHex(random.bytes(20)) };
  const other = { ...input, settings: { ...settingsOf(input), libraries } };
  return as(isElsewhere ? null : 'match', { input: other });
}

/** What sources of other settings deserve: their code decides. */
function wantedOf(
  other: Compilation,
  { compilation, grade }: Original,
  { code, hashes, open }: Deployment,
): Wanted {
  const [own, others] = [prepareCode(compilation), prepareCode(other)];
  const sideOf = (side: CodeSide): readonly Grade[] => {
    if (Buffer.compare(own[side], others[side]) === 0) return [grade];
    return isEqualOutside(own[side], others[side], open[side]) && hashes[side].length > 0
      ? ['match']
      : [null];
  };
  const runtime = sideOf('runtime');
  const creation = sideOf('creation');
  const isLost = runtime.includes(null) && code.runtime.length > 0;
  return { runtime, creation: isLost ? [null, 'match'] : creation };
}

function isEqualOutside(left: Uint8Array, right: Uint8Array, open: readonly Range[]): boolean {
  if (left.length !== right.length) return false;
  return left.every(
    (byte, at) => byte === right[at] || open.some(({ start, end }) => at >= start && at < end),
  );
}

function bodyOf(
  form: Drawn['form'],
  input: StandardJson,
  { compilation, contract: { target } }: Original,
): object {
  if (form === 'similarity/') return {};
  if (form === 'metadata/') {
    const sources = Object.entries(input.sources).map(([path, { content }]) => [path, content]);
    return { sources: Object.fromEntries(sources), metadata: JSON.parse(compilation.metadata ?? '{}') };
  }
  return {
    stdJsonInput: input,
    compilerVersion: compilation.compiler.version,
    contractIdentifier: `${target.path}:${target.name}`,
  };
}
