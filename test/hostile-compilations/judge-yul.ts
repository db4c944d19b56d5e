import { bareHex, type Hex, toHex } from '../../src/values/hex.ts';
import type { Compilation } from '../../src/verify/compile/compiler.ts';
import type { CodeSide } from '../../src/verify/match/auxdata/auxdata-positions.ts';
import type { MatchGrade } from '../../src/verify/match/compiled-code.ts';
import { isBefore } from '../../src/verify/match/version-order.ts';
import { withEditedSources } from '../../src/verify/standard-json.ts';
import type { CompileBench } from './compile-bench.ts';
import { deploy } from './deployment.ts';
import { type HostileContract, KINDS, type Kind, MARKER } from './hostile-contracts.ts';
import { compileDrawn, expectedGrade, type Judgement } from './judge-contract.ts';
import { wantedAfter } from './judge-submissions.ts';
import { mutate } from './mutations.ts';
import { type Random, seeded } from './random.ts';
import type { SubmissionStage } from './submission-stage.ts';
import { type Deployed, verifyDeployed } from './verify-deployed.ts';

/** The first releases with `linkersymbol` and `verbatim`. */
export const FIRST_LINKERSYMBOL = '0.8.0';
export const FIRST_VERBATIM = '0.8.5';

/** Draws objects with a part that has no name, deploys them with anything in its place, and looks at each verdict. */
export async function judgeNameless(
  bench: CompileBench,
  version: string,
  seed: number,
  count: number,
): Promise<Judgement> {
  const random = seeded(seed, 'nameless', version);
  const wrong: string[] = [];
  const OBJECTS = 8;
  for (let object = 0, left = count; object < OBJECTS; object++) {
    const draw = async () => {
      const contract = yul('P', namelessObject(random));
      return { contract, compilation: await bench.compile(contract, version) };
    };
    let { contract, compilation } = await draw();
    // Older ones do not print where immutables of Yul stand: such code has no open place.
    while (!hasNamelessPart(compilation)) ({ contract, compilation } = await draw());
    for (let last = Math.floor((count * (OBJECTS - 1 - object)) / OBJECTS); left > last; left--) {
      const [immutable, library] = [random.bytes(32), random.pick([random.bytes(20), new Uint8Array(20)])];
      const isOne = random.below(2) === 0;
      const code = (side: CodeSide) => {
        const linked = compilation[side].object.replaceAll(/__\$\w{34}\$__/g, () =>
          bareHex(isOne ? library : random.bytes(20)),
        );
        const bytes = new Uint8Array(Buffer.from(linked, 'hex'));
        const ranges = Object.values(compilation.runtime.immutableReferences ?? {}).flat();
        if (side === 'runtime') for (const { start } of ranges) bytes.set(immutable, start);
        return bytes;
      };
      const deployed: Deployed = { creation: code('creation'), runtime: code('runtime'), life: 'present' };
      const address = toHex(random.bytes(20));
      const got = await verifyDeployed(deployed, address, contract, version, () => compilation);
      if (got.creation === null && got.runtime === null) continue;
      wrong.push(
        `seed ${seed}, nameless parts, solc ${version}: object ${object} gives ${got.creation} and ${got.runtime}`,
      );
    }
  }
  return { mutations: count, wrong, compilations: OBJECTS };
}

function hasNamelessPart({ runtime }: Compilation): boolean {
  const { immutableReferences, linkReferences } = runtime;
  return linkReferences?.['']?.[''] !== undefined || immutableReferences?.[''] !== undefined;
}

/** At least one library or immutable has no name; others may have one. */
function namelessObject(random: Random): string {
  const symbol = () => `linkersymbol("${random.pick(['', '', 'P.sol:Named'])}")`;
  const own = random.pick(['linkersymbol("")', 'loadimmutable("")']);
  const sets = own.startsWith('load') ? 'setimmutable(0, "", caller())' : '';
  const places = [own, ...Array.from({ length: random.below(3) }, symbol)];
  const stores = places.map((place, index) => `sstore(${index}, ${place})`).join(' ');
  return `object "P" {
  code { datacopy(0, dataoffset("P_deployed"), datasize("P_deployed")) ${sets} return(0, datasize("P_deployed")) }
  object "P_deployed" { code { ${stores} sstore(${MARKER}, ${random.below(1000)}) } }
}`;
}

/**
 * Deploys contracts, perhaps with changed code, and lets a Yul object that copies the code come first: it gets no more
 * than `match`, the sources take its place where they match, the former record stays, and it does not come back.
 */
export async function judgeSquatting(
  bench: CompileBench,
  stage: SubmissionStage,
  version: string,
  seed: number,
  count: number,
): Promise<Judgement> {
  const random = seeded(seed, 'squatting', version);
  const kinds = (Object.keys(KINDS) as Kind[]).filter(
    (kind) => kind !== 'Yul object' && !isBefore(version, KINDS[kind]),
  );
  const equals = kinds.filter((kind) => kind === 'hash none' || kind === 'no auxdata');
  const wrong: string[] = [];
  let mutations = 0;
  while (mutations < count) {
    // Without a hash of its sources a contract is worth as much as its copy.
    const kind = random.pick(random.below(2) === 0 ? kinds : equals);
    const { compilation, contract } = await compileDrawn(bench, kind, version, random);
    const edited = await bench.compile({ ...contract, input: withEditedSources(contract.input) }, version);
    for (const end = Math.min(count, mutations + 10); mutations < end; ) {
      const deployment = deploy(compilation, edited, random);
      const mutation = random.below(2) === 0 ? null : mutate(deployment, compilation.assembly, true, random);
      const deployed: Deployed = { ...deployment.code, life: 'present', ...mutation?.deployed };
      const grade = expectedGrade(kind, version);
      const want =
        mutation === null
          ? { creation: [grade], runtime: [grade] }
          : wantedAfter(mutation, deployed, grade, deployment);
      const lines = await squat(stage, deployment.address, deployed, contract, version, want, random);
      const where = `seed ${seed}, squatting, ${kind}, solc ${version}, mutation ${mutations}`;
      wrong.push(...lines.map((line) => `${where} (${mutation?.name ?? 'nothing'}): ${line}`));
      mutations += 1;
    }
  }
  return { mutations, wrong, compilations: 0 };
}

async function squat(
  stage: SubmissionStage,
  address: Hex,
  deployed: Deployed,
  contract: HostileContract,
  version: string,
  want: Readonly<Record<CodeSide, readonly (MatchGrade | null)[]>>,
  random: Random,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const submit = async ({ input, target }: HostileContract) => {
    const body = {
      stdJsonInput: input,
      compilerVersion: version,
      contractIdentifier: `${target.path}:${target.name}`,
    };
    try {
      const { contract: got } = await stage.verify(address, deployed, '', body);
      return { creation: got['creationMatch'] ?? null, runtime: got['runtimeMatch'] ?? null };
    } catch (error) {
      if (!String(error).includes('already_verified')) throw error;
      return { creation: null, runtime: null };
    }
  };
  const copy = yul('Copy', copyOf(deployed, random));
  const isAccount = toHex(deployed.runtime).startsWith('0xef0100');
  const first = await submit(copy);
  if (first.runtime !== (isAccount ? null : 'match')) wrong.push(`the copy's runtime is ${first.runtime}`);
  if (first.creation === 'exact_match') wrong.push('the copy has an exact creation');
  const squatted = await stage.standing(address);

  const honest = await submit(contract);
  for (const side of ['creation', 'runtime'] as const) {
    if (!want[side].includes(honest[side] as MatchGrade | null))
      wrong.push(`${side} of the sources is ${honest[side]}, not ${want[side].join(' or ')}`);
  }
  const language = honest.runtime === null ? squatted.language : contract.input.language;
  const taken = await stage.standing(address);
  if (taken.language !== language) wrong.push(`${taken.language} is shown instead of ${language}`);
  if (honest.runtime !== null && taken.records !== squatted.records + 1)
    wrong.push(`there are ${taken.records} records after ${squatted.records}`);

  await submit(copy);
  const last = await stage.standing(address);
  if (last.language !== language) wrong.push(`the copy came back: ${last.language} is shown`);
  if (last.records < taken.records) wrong.push('a record is gone');
  return wrong;
}

/** With the creation code too, as far as `verbatim` gives it: the compiler puts an INVALID between code and data. */
function copyOf({ creation, runtime }: Deployed, random: Random): string {
  const invalid = creation?.lastIndexOf(0xfe) ?? -1;
  const code =
    creation === null || invalid <= 0 || random.below(2) === 0
      ? 'sstore(0, 0)'
      : `verbatim_0i_0o(hex"${bareHex(creation.subarray(0, invalid))}")`;
  return `object "Copy" { code { ${code} } object "Copy_deployed" { code { verbatim_0i_0o(hex"${bareHex(runtime)}") } } }`;
}

function yul(name: string, content: string): HostileContract {
  return {
    input: { language: 'Yul', sources: { 'P.sol': { content } }, settings: {} },
    target: { path: 'P.sol', name },
  };
}
