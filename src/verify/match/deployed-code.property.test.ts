import { createRequire } from 'node:module';
import { AbiParameters } from 'ox';
import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { type Hex, toHex } from '../../values/hex.ts';
import { readSolidityOutput } from '../compile/output/solidity-output.ts';
import { selectOutput } from '../compile/solidity/solidity-compiler.ts';
import type { StandardJson } from '../standard-json.ts';
import { planAuxdataPositions } from './auxdata/auxdata-positions.ts';
import type { AuxdataPositions, CodeRange } from './compiled-code.ts';
import { libraryPlaces, readLinkableCode } from './link-references.ts';
import type { SideMatch } from './match-runtime.ts';
import { applyTransformations } from './transformations.ts';
import { matchBothSides, type PreparedCode } from './verify-bytecode.ts';

/** Real code: libraries, immutables in many places, a creator of a creator, call protection, arguments. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

library Rounding {
    function up(uint256 value, uint256 step) external pure returns (uint256) { return (value + step - 1) / step; }
}
library Weights {
    function triple(uint256 value) external pure returns (uint256) { return value * 3; }
}
contract Vault {
    address public immutable owner;
    uint256 public immutable step;
    bool private immutable open;
    string public name;
    constructor(address owner_, uint256 step_, string memory name_) {
        owner = owner_;
        step = step_;
        open = step_ > 7;
        name = name_;
    }
    function round(uint256 value) external view returns (uint256) {
        require(msg.sender == owner && open);
        return Rounding.up(Weights.triple(value) + step, step) + Rounding.up(value, 2);
    }
    function isOwner(address other) external view returns (bool) { return other == owner && step > 3; }
}
contract Leaf { uint256 public immutable value; constructor(uint256 value_) { value = value_; } }
contract Branch { Leaf public leaf; constructor(uint256 value) { leaf = new Leaf(value); } }
contract Trunk {
    function grow(uint256 value) external returns (Branch) { return new Branch(value + 1); }
}
`;

const PATH = 'code.sol';
const VERSION = '0.8.30+commit.73712a01';
const NAMES = ['Vault', 'Trunk', 'Branch', 'Rounding'] as const;

interface Artifact {
  readonly code: PreparedCode;
  readonly auxdata: { readonly creation: AuxdataPositions; readonly runtime: AuxdataPositions };
  readonly inputs: readonly AbiParameters.Parameter[];
}

const artifacts = new Map(NAMES.map((name) => [name, compile(name)]));

function compile(name: string): Artifact {
  const require = createRequire(import.meta.url);
  const solc = require('solc/wrapper')(require('solc-0.8.30/soljson.js')) as {
    compile(text: string): string;
  };
  const input: StandardJson = {
    language: 'Solidity',
    sources: { [PATH]: { content: SOURCE } },
    settings: { optimizer: { enabled: true, runs: 200 } },
  };
  const target = { path: PATH, name };
  const text = solc.compile(JSON.stringify(selectOutput(input, target, 'target')));
  const output = readSolidityOutput(JSON.parse(text), input, target, VERSION);
  if (output.kind !== 'contract') throw new Error(JSON.stringify(output));
  const { creation, runtime, assembly, abi, traits } = output.contract;
  const compiler = { language: 'Solidity', version: VERSION } as const;
  const code = {
    compiler,
    assembly,
    ...(traits === undefined ? {} : { traits }),
    abi,
    creation: readLinkableCode(creation.object, creation.linkReferences ?? {}),
    runtime: readLinkableCode(runtime.object, runtime.linkReferences ?? {}),
    creationLinkReferences: creation.linkReferences,
    runtimeLinkReferences: runtime.linkReferences,
    immutableReferences: runtime.immutableReferences,
  };
  const plan = planAuxdataPositions(code);
  if (Object.values(plan.edited).includes('always')) throw new Error(`${name} has ambiguous auxdata`);
  const declared = (abi as { type: string; inputs: AbiParameters.Parameter[] }[]).find(
    ({ type }) => type === 'constructor',
  );
  return { code, auxdata: plan.known, inputs: declared?.inputs ?? [] };
}

function artifactOf(name: (typeof NAMES)[number]): Artifact {
  const artifact = artifacts.get(name);
  if (artifact === undefined) throw new Error(`No artifact of ${name}`);
  return artifact;
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
/** Random bytes for every place that a deployment may fill; more than any contract here has. */
const deployments = fc.record({
  name: fc.constantFrom(...NAMES),
  addresses: fc.array(bytes(20), { minLength: 2, maxLength: 2 }),
  immutables: fc.array(bytes(32), { minLength: 3, maxLength: 3 }),
  hashes: fc.array(bytes(32), { minLength: 3, maxLength: 3 }),
  metadata: fc.constantFrom('same', 'other', 'removed'),
  self: bytes(20),
  owner: bytes(20),
  step: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  title: fc.uint8Array({ maxLength: 70 }),
});
type Deployment = typeof deployments extends fc.Arbitrary<infer T> ? T : never;

interface Deployed {
  readonly creation: Uint8Array;
  readonly runtime: Uint8Array;
  readonly arguments: Hex;
  readonly address: Hex;
}

const HASH_OFFSET_IN_AUXDATA = 10;

/** Does to real code what linking, a constructor and another source comment do. */
function deploy({ code, auxdata, inputs }: Artifact, deployment: Deployment): Deployed {
  const creation = Uint8Array.from(code.creation);
  let runtime: Uint8Array = Uint8Array.from(code.runtime);
  for (const [bytesOfSide, references] of [
    [creation, code.creationLinkReferences],
    [runtime, code.runtimeLinkReferences],
  ] as const) {
    for (const { id, start } of libraryPlaces(references ?? {})) {
      bytesOfSide.set(libraryAddress(id, deployment), start);
    }
  }
  for (const [index, ranges] of Object.values(code.immutableReferences ?? {}).entries()) {
    for (const { start } of ranges) runtime.set(deployment.immutables[index] ?? [], start);
  }
  if (runtime[0] === 0x73) runtime.set(deployment.self, 1);
  const args = encodeArguments(inputs, deployment);
  if (deployment.metadata === 'other') {
    for (const [side, positions] of [
      [creation, auxdata.creation],
      [runtime, auxdata.runtime],
    ] as const) {
      for (const [id, { offset }] of Object.entries(positions)) {
        side.set(deployment.hashes[Number(id) - 1] ?? [], offset + HASH_OFFSET_IN_AUXDATA);
      }
    }
  }
  if (deployment.metadata === 'removed') {
    const [last] = Object.values(auxdata.runtime)
      .map(({ offset }) => offset)
      .sort((left, right) => right - left);
    runtime = runtime.subarray(0, (last ?? 0) - 1);
  }
  return {
    creation: Buffer.concat([creation, Buffer.from(args.slice(2), 'hex')]),
    runtime,
    arguments: args,
    address: toHex(deployment.self),
  };
}

/** A string on chain may hold any bytes, which the codec only encodes under the name `bytes`. */
function encodeArguments(inputs: Artifact['inputs'], { owner, step, title }: Deployment): Hex {
  const types = inputs.map(({ type }) => ({ type: type === 'string' ? 'bytes' : type }));
  const values = types.map(({ type }) =>
    type === 'address' ? toHex(owner) : type === 'bytes' ? toHex(title) : step,
  );
  return AbiParameters.encode(types, values as never);
}

function libraryAddress(id: string, { addresses }: Deployment): Uint8Array {
  return addresses[id.endsWith('Rounding') ? 0 : 1] ?? new Uint8Array(20);
}

function rebuild(recompiled: Uint8Array, match: SideMatch | null): Hex {
  if (match === null) throw new Error('no match');
  return toHex(applyTransformations(recompiled, match.transformations, match.values));
}

describe('matchBothSides with code of a real compiler', () => {
  test('finds every library, immutable, argument and metadata hash that a deployment put in', () => {
    fc.assert(
      fc.property(deployments, (deployment) => {
        const artifact = artifactOf(deployment.name);
        const { code, auxdata } = artifact;
        const onchain = deploy(artifact, deployment);
        const { creation, runtime } = matchBothSides(code, onchain, auxdata);

        const hasManyAuxdata = Object.keys(auxdata.runtime).length > 1;
        if (deployment.metadata === 'removed' && hasManyAuxdata) {
          // The places of the inner values cannot be told any more; that is no match, never a wrong one.
          if (runtime !== null) expect(rebuild(code.runtime, runtime)).toBe(toHex(onchain.runtime));
        } else {
          expect(runtime?.grade).toBe(deployment.metadata === 'same' ? 'exact_match' : 'match');
          expect(rebuild(code.runtime, runtime)).toBe(toHex(onchain.runtime));
        }
        expect(creation?.grade).toBe(deployment.metadata === 'other' ? 'match' : 'exact_match');
        expect(rebuild(code.creation, creation)).toBe(toHex(onchain.creation));
        expect(creation?.values.constructorArguments ?? '0x').toBe(onchain.arguments);

        const ids = libraryPlaces(code.runtimeLinkReferences ?? {}).map(({ id }) => id);
        const libraries = Object.fromEntries(ids.map((id) => [id, toHex(libraryAddress(id, deployment))]));
        expect(creation?.values.libraries ?? {}).toEqual(libraries);
        if (runtime !== null) expect(runtime.values.libraries ?? {}).toEqual(libraries);
        const immutables = Object.fromEntries(
          Object.keys(code.immutableReferences ?? {}).map((id, index) => [
            id,
            toHex(deployment.immutables[index] ?? new Uint8Array()),
          ]),
        );
        if (runtime !== null) expect(runtime.values.immutables ?? {}).toEqual(immutables);
        expect(runtime?.values.callProtection).toBe(
          deployment.name === 'Rounding' && runtime !== null ? toHex(deployment.self) : undefined,
        );
      }),
      { numRuns: 400 },
    );
  });

  test('never matches when one byte outside the open places differs', () => {
    fc.assert(
      fc.property(
        deployments,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('creation', 'runtime'),
        (deployment, place, flip, side) => {
          const artifact = artifactOf(deployment.name);
          const { code, auxdata } = artifact;
          const onchain = deploy(artifact, deployment);
          const open = openPlaces(artifact, side);
          const compared = Math.min(onchain[side].length, code[side].length);
          const fixed = Array.from({ length: compared }, (_, index) => index).filter(
            (index) => !open.some(({ start, length }) => index >= start && index < start + length),
          );
          const at = fixed[place % fixed.length] ?? 0;
          const mutated = Uint8Array.from(onchain[side]);
          mutated[at] = (mutated[at] ?? 0) ^ flip;
          const matches = matchBothSides(code, { ...onchain, [side]: mutated }, auxdata);
          expect(matches[side]).toBeNull();
        },
      ),
      { numRuns: 600 },
    );
  });

  test('never matches when bytes are cut off, put in or taken out', () => {
    fc.assert(
      fc.property(
        deployments,
        fc.nat(),
        fc.uint8Array({ minLength: 1, maxLength: 40 }),
        fc.constantFrom('append', 'insert', 'remove', 'truncate'),
        (deployment, place, extra, change) => {
          const artifact = artifactOf(deployment.name);
          const { code, auxdata } = artifact;
          const { runtime, creation, address } = deploy(artifact, { ...deployment, metadata: 'same' });
          const size = extra.length;
          // Inside metadata another length may be readable; before it, everything moves.
          const metadata = Math.min(...Object.values(auxdata.runtime).map(({ offset }) => offset));
          const at = place % (metadata - size);
          const [head, tail] = [runtime.subarray(0, at), runtime.subarray(at)];
          const changed = {
            append: Buffer.concat([runtime, extra]),
            insert: Buffer.concat([head, extra, tail]),
            remove: Buffer.concat([head, tail.subarray(size)]),
            truncate: runtime.subarray(0, runtime.length - size),
          }[change];
          // Bytes of a repeating run may be put in or taken out without a trace.
          fc.pre(Buffer.compare(changed, runtime) !== 0);
          expect(matchBothSides(code, { address, runtime: changed, creation }, auxdata).runtime).toBeNull();
        },
      ),
      { numRuns: 400 },
    );
  });

  test('never matches when two places of one immutable or one library hold different values', () => {
    const { code, auxdata } = artifactOf('Vault');
    const immutables = Object.values(code.immutableReferences ?? {}).filter(({ length }) => length > 1);
    const libraries = libraryPlaces(code.runtimeLinkReferences ?? {});
    const repeated = libraries.find(({ id }, index) => libraries.findIndex((each) => each.id === id) < index);
    const starts = [...immutables.map((ranges) => ranges[1]?.start), repeated?.start].filter(
      (start) => start !== undefined,
    );
    expect(starts.length).toBeGreaterThanOrEqual(3);
    fc.assert(
      fc.property(
        deployments,
        fc.constantFrom(...starts),
        fc.integer({ min: 0, max: 19 }),
        fc.integer({ min: 1, max: 255 }),
        (deployment, start, offset, flip) => {
          const { runtime, creation, address } = deploy(artifactOf('Vault'), {
            ...deployment,
            metadata: 'same',
          });
          runtime[start + offset] = (runtime[start + offset] ?? 0) ^ flip;
          const matches = matchBothSides(code, { address, runtime, creation }, auxdata);
          expect(matches.runtime).toBeNull();
          expect(matches.creation).not.toBeNull();
        },
      ),
    );
  });
});

/** Places that a deployment may fill or that metadata occupy. */
function openPlaces({ code, auxdata }: Artifact, side: 'creation' | 'runtime'): readonly CodeRange[] {
  const links = side === 'creation' ? code.creationLinkReferences : code.runtimeLinkReferences;
  const places: CodeRange[] = libraryPlaces(links ?? {}).map(({ start }) => ({ start, length: 20 }));
  for (const { offset, value } of Object.values(auxdata[side])) {
    places.push({ start: offset, length: value.length / 2 - 1 });
  }
  if (side === 'creation') return places;
  places.push(...Object.values(code.immutableReferences ?? {}).flat());
  if (code.runtime[0] === 0x73) places.push({ start: 1, length: 20 });
  return places;
}
