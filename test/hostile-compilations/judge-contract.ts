import { compareWithChain } from '../../src/verify/jobs/attempts/compare-with-chain.ts';
import { proveAuxdata } from '../../src/verify/jobs/attempts/prove-auxdata.ts';
import type { MatchGrade } from '../../src/verify/match/compiled-code.ts';
import { isBefore } from '../../src/verify/match/version-order.ts';
import { withEditedSources } from '../../src/verify/standard-json.ts';
import type { CompileBench } from './compile-bench.ts';
import { type Deployment, deploy } from './deployment.ts';
import { type Kind, writeContract } from './hostile-contracts.ts';
import { type Mutation, mutate } from './mutations.ts';
import { seeded } from './random.ts';

/** What one contract and its mutations came to. */
export interface Judgement {
  readonly mutations: number;
  /** Each with seed, kind, version and what happened; empty is good. */
  readonly wrong: readonly string[];
  /** Compilations that a contract needed which is on chain as it was compiled. */
  readonly compilations: number;
}

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
  const contract = await writeContract(kind, version, random, async (other) => {
    const { assembly, runtime } = await bench.compile(other, version);
    return assembly.find(({ isOwn }) => isOwn)?.value ?? runtime.object.slice(-86);
  });
  const compilation = await bench.compile(contract, version);
  const edited = await bench.compile({ ...contract, input: withEditedSources(contract.input) }, version);
  const deployment = deploy(compilation, edited, random);
  const hasMetadata = !isBefore(version, FIRST_METADATA);

  let editedRuns = 0;
  const verdict = async (code: Deployment['code']) => {
    const onchain = {
      address: deployment.address,
      runtime: code.runtime,
      creation: async () => ({ creationCode: code.creation, life: 'present' as const }),
    };
    const proof = (prepared: Parameters<typeof proveAuxdata>[0]) =>
      proveAuxdata(prepared, async () => {
        editedRuns += 1;
        return edited;
      });
    const attempt = await compareWithChain(compilation, onchain, proof, 0);
    if (attempt.kind === 'failed') throw new Error(attempt.failure.code);
    const { creation, runtime } = attempt.matches;
    return { creation: creation?.grade ?? null, runtime: runtime?.grade ?? null };
  };

  const where = `seed ${seed}, ${kind}, solc ${version}`;
  const wrong: string[] = [];
  const plain = await verdict(deployment.code);
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
    const got = (await verdict({ ...deployment.code, [mutation.side]: mutation.code }))[mutation.side];
    if (got !== wanted(mutation, expected)) {
      wrong.push(`${where}: ${mutation.name} in ${mutation.side} (mutation ${attempt}) gives ${got}`);
    }
  }
  return { mutations, wrong, compilations };
}

function wanted({ want }: Mutation, grade: MatchGrade): MatchGrade | null {
  if (want === 'null') return null;
  return want === 'match' ? 'match' : grade;
}

/** Only code that holds a hash of its sources can be exact. */
function expectedGrade(kind: Kind, version: string): MatchGrade {
  const hasHash = !isBefore(version, '0.4.7') && !['hash none', 'no auxdata', 'Yul object'].includes(kind);
  return hasHash ? 'exact_match' : 'match';
}
