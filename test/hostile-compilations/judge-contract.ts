import type { Compilation } from '../../src/verify/compile/compiler.ts';
import type { CodeSide } from '../../src/verify/match/auxdata/auxdata-positions.ts';
import type { MatchGrade } from '../../src/verify/match/compiled-code.ts';
import { isBefore } from '../../src/verify/match/version-order.ts';
import { withEditedSources } from '../../src/verify/standard-json.ts';
import { type CompileBench, CompilerRefusal } from './compile-bench.ts';
import { deploy } from './deployment.ts';
import { type HostileContract, type Kind, writeContract } from './hostile-contracts.ts';
import { mutate, type Verdict } from './mutations.ts';
import { type Random, seeded } from './random.ts';
import { type Deployed, verifyDeployed } from './verify-deployed.ts';

/** What one contract and its mutations came to. */
export interface Judgement {
  readonly mutations: number;
  /** Each with seed, kind, version and what happened; empty is good. */
  readonly wrong: readonly string[];
  /** Compilations that a contract needed which is on chain as it was compiled. */
  readonly compilations: number;
}

const MAX_REFUSED = 5;
/** The first release that writes metadata. */
const FIRST_METADATA = '0.4.7';

/** Compiles a contract once, changes its code on chain many times in memory, and looks at each verdict. */
export async function judgeContract(
  bench: CompileBench,
  kind: Kind,
  version: string,
  seed: number,
  count: number,
): Promise<Judgement> {
  const random = seeded(seed, kind, version);
  const { contract, compilation } = await compileDrawn(bench, kind, version, random);
  const edited = await bench.compile({ ...contract, input: withEditedSources(contract.input) }, version);
  const deployment = deploy(compilation, edited, random);
  const hasMetadata = !isBefore(version, FIRST_METADATA);

  let editedRuns = 0;
  const verdict = (deployed: Deployed) =>
    verifyDeployed(deployed, deployment.address, contract, version, (input) => {
      const isEdited = input.sources['P.sol']?.content !== contract.input.sources['P.sol']?.content;
      if (isEdited) editedRuns += 1;
      return isEdited ? edited : compilation;
    });

  const where = `seed ${seed}, ${kind}, solc ${version}`;
  const wrong: string[] = [];
  const plain = await verdict({ ...deployment.code, life: 'present' });
  const compilations = 1 + editedRuns;
  const expected = expectedGrade(kind, version);
  for (const side of ['creation', 'runtime'] as const) {
    if (plain[side] !== expected)
      wrong.push(`${where}: unchanged ${side} is ${plain[side]}, not ${expected}`);
  }
  let mutations = 0;
  for (let attempt = 0; mutations < count && attempt < 5 * count; attempt++) {
    const mutation = mutate(deployment, compilation.assembly, hasMetadata, random);
    if (mutation === null) continue;
    mutations += 1;
    const got = await verdict({ ...deployment.code, life: 'present', ...mutation.deployed });
    for (const [side, want] of Object.entries(mutation.want) as [CodeSide, Verdict][]) {
      if (got[side] !== wanted(want, expected))
        wrong.push(`${where}: ${mutation.name} (mutation ${attempt}) gives ${got[side]} of ${side}`);
    }
  }
  return { mutations, wrong, compilations };
}

/** Solc refuses some, as too deep for its stack; then the next one that is drawn is taken. */
export async function compileDrawn(
  bench: CompileBench,
  kind: Kind,
  version: string,
  random: Random,
  left = MAX_REFUSED,
): Promise<{ readonly contract: HostileContract; readonly compilation: Compilation }> {
  const contract = await writeContract(kind, version, random, async (other) => {
    const { assembly, runtime } = await bench.compile(other, version);
    return assembly.find(({ isOwn }) => isOwn)?.value ?? runtime.object.slice(-86);
  });
  try {
    return { contract, compilation: await bench.compile(contract, version) };
  } catch (error) {
    if (!(error instanceof CompilerRefusal) || left === 0) throw error;
    return compileDrawn(bench, kind, version, random, left - 1);
  }
}

function wanted(want: Verdict, grade: MatchGrade): MatchGrade | null {
  if (want === 'null') return null;
  return want === 'match' ? 'match' : grade;
}

/** Below it the IR gives code without metadata. */
const FIRST_IR_METADATA = '0.8.6';

/** Only code that holds a hash of its sources can be exact. */
export function expectedGrade(kind: Kind, version: string): MatchGrade {
  const isWithout = ['hash none', 'no auxdata', 'Yul object'].includes(kind);
  const isByIr = ['library by way of the IR', 'library at zero', 'parts in the code twice'].includes(kind);
  const hasHash = !isWithout && !isBefore(version, isByIr ? FIRST_IR_METADATA : FIRST_METADATA);
  return hasHash ? 'exact_match' : 'match';
}
