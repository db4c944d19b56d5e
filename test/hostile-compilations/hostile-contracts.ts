import { encode } from 'cborg';
import { bareHex } from '../../src/values/hex.ts';
import { isBefore } from '../../src/verify/match/version-order.ts';
import type { CompilationTarget, StandardJson } from '../../src/verify/standard-json.ts';
import type { Random } from './random.ts';

/** What tempts a verifier, with the solc from which on it can be written. */
export const KINDS = {
  'dead code': '0.4.7',
  'literals of every length': '0.4.2',
  'data in constructors': '0.4.2',
  'hash ipfs': '0.6.0',
  'hash bzzr1': '0.6.0',
  'hash none': '0.6.0',
  'no auxdata': '0.8.18',
  'Yul object': '0.8.0',
  libraries: '0.4.2',
  'library itself': '0.4.2',
  'factories of three levels': '0.4.2',
  'library by way of the IR': '0.8.13',
  'library at zero': '0.8.13',
  'parts in the code twice': '0.8.13',
  'function pointers': '0.6.12',
} as const;

export type Kind = keyof typeof KINDS;

/** A contract to compile. */
export interface HostileContract {
  readonly input: StandardJson;
  readonly target: CompilationTarget;
}

/** The end of the runtime code of another contract, bare hex; empty where it has no metadata. */
export type AuxdataOf = (contract: HostileContract) => Promise<string>;

/** Writes a contract of a kind in the language of a solc. */
export async function writeContract(
  kind: Kind,
  version: string,
  random: Random,
  auxdataOf: AuxdataOf,
): Promise<HostileContract> {
  const settings = settingsFor(kind, version, random);
  const of = (name: string, sources: Readonly<Record<string, string>>): HostileContract => ({
    input: {
      language: kind === 'Yul object' ? 'Yul' : 'Solidity',
      sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
      settings,
    },
    target: { path: 'P.sol', name },
  });
  const literal = () => `hex"${bareHex(random.bytes(random.below(300)))}"`;
  const maker = (name: string, body: string) => constructorOf(version, name, body);
  switch (kind) {
    case 'dead code': {
      const dead = { 'D.sol': 'contract D { uint public y = 9; }' };
      const copy = await auxdataOf({ ...of('D', dead), target: { path: 'D.sol', name: 'D' } });
      const blob = `hex"${bareHex(random.bytes(random.below(90)))}${copy}${bareHex(random.bytes(random.below(40)))}"`;
      const parent = `import "./D.sol";
contract P {
  bytes public data;
  function blob() public { bytes memory b = ${blob}; data = b; }
  function f() public returns (address a) { return a; a = address(new D()); }
  ${random.below(2) === 0 ? '' : 'function live() public returns (address) { return address(new D()); }'}
}`;
      return of('P', { ...dead, 'P.sol': parent });
    }
    case 'data in constructors': {
      const lookalike = `hex"${bareHex(random.bytes(random.below(120)))}${bareHex(lookalikeAuxdata(random))}"`;
      const body = `bytes memory b = ${lookalike}; data = b;`;
      return of('P', { 'P.sol': `contract P { bytes public data; uint public x; ${maker('P', body)} }` });
    }
    case 'Yul object':
      return of('P', { 'P.sol': yulObject(random) });
    case 'libraries':
    case 'library itself': {
      const immutable = isBefore(version, '0.6.5') ? 'uint public kept;' : 'uint public immutable kept;';
      const sources = {
        'P.sol': `library Lib { function f(uint a) public returns (uint) { return a + 1; } }
library Other { function g(uint a) public returns (uint) { return a * 2; } }
contract P {
  ${immutable}
  ${maker('P', 'kept = block.number;')}
  function run(uint a) public returns (uint) { return Lib.f(a) + Other.g(a) + Lib.f(7) + kept; }
}`,
      };
      return of(kind === 'libraries' ? 'P' : 'Lib', sources);
    }
    case 'factories of three levels':
      return of('P', {
        'P.sol': `contract Leaf { uint public value; bytes public data; ${maker('Leaf', `bytes memory b = ${literal()}; data = b;`)} }
contract Branch { address public leaf; ${maker('Branch', 'leaf = address(new Leaf());')} function again() public { leaf = address(new Leaf()); } }
contract P { address public branch; ${maker('P', 'branch = address(new Branch());')} function grow() public returns (address) { return address(new Branch()); } }`,
      });
    case 'library by way of the IR':
      return of('Lib', {
        'P.sol': `library Lib { function f(uint[] storage list) external { list.push(${random.below(99)}); } }`,
      });
    case 'library at zero':
      return of('P', {
        'P.sol': `library Zero { function f() public {} }
contract P { fallback() external payable { address o = address(Zero); assembly { if eq(caller(), o) { selfdestruct(caller()) } } } }`,
      });
    case 'parts in the code twice': {
      const made = random.pick(['address(new Leaf())', 'type(Leaf).creationCode.length', '2']);
      const again = random.pick(['type(Leaf).runtimeCode', 'type(Leaf).creationCode']);
      return of('P', {
        'P.sol': `contract Leaf { uint public value; bytes public data; function set() public { data = ${literal()}; } }
contract P {
  function one() public returns (uint, address) { return (1, address(new Leaf())); }
  function two() public returns (bytes memory) { ${made}; return ${again}; }
  function three() public returns (address) { return address(new Leaf()); }
}`,
      });
    }
    case 'function pointers': {
      const opening = isBefore(version, '0.7.0') ? 'public' : '';
      return of('P', {
        'P.sol': `contract Child { fallback() external payable { assembly { if callvalue() { selfdestruct(caller()) } } } }
contract P {
  uint public total;
  function() internal returns (uint) immutable step;
  function() internal returns (uint) immutable chosen;
  constructor(bool other) ${opening} { function() internal returns (uint) f = other ? two : one; step = one; chosen = f; }
  function one() internal returns (uint) { total += ${1 + random.below(99)}; return total; }
  function two() internal returns (uint) { total -= 2; return total; }
  function run() external returns (uint) { return step() + chosen(); }
  function make() external returns (address) { return address(new Child()); }
}`,
      });
    }
    default: {
      const functions = Array.from({ length: 1 + random.below(4) }, (_, index) => {
        return `function f${index}() public { bytes memory b = ${literal()}; data = b; }`;
      });
      const child = 'contract C { uint public y = 3; }';
      const create = kind.startsWith('hash')
        ? 'function make() public returns (address) { return address(new C()); }'
        : '';
      return of('P', {
        'P.sol': `${child}\ncontract P { bytes public data; ${functions.join('\n')} ${create} }`,
      });
    }
  }
}

function settingsFor(kind: Kind, version: string, random: Random): Readonly<Record<string, unknown>> {
  const optimizer = { enabled: random.below(2) === 0, runs: random.pick([1, 200, 10_000]) };
  const viaIR = !isBefore(version, '0.8.18') && random.below(3) === 0 ? { viaIR: true } : {};
  const isYul = kind === 'Yul object';
  const settings = { optimizer, ...(isYul ? {} : viaIR) };
  switch (kind) {
    case 'library by way of the IR':
    case 'parts in the code twice':
      return { ...settings, viaIR: true };
    case 'library at zero': {
      const libraries = { 'P.sol': { Zero: `0x${'0'.repeat(40)}` } };
      return { optimizer: { ...optimizer, enabled: true }, viaIR: true, libraries };
    }
    case 'hash ipfs':
    case 'hash bzzr1':
    case 'hash none':
      return { ...settings, metadata: { bytecodeHash: kind.slice('hash '.length) } };
    case 'no auxdata':
      return { ...settings, metadata: { bytecodeHash: 'none', appendCBOR: false } };
    default:
      return settings;
  }
}

function constructorOf(version: string, name: string, body: string): string {
  if (isBefore(version, '0.4.22')) return `function ${name}() { ${body} }`;
  return `constructor() ${isBefore(version, '0.7.0') ? 'public' : ''} { ${body} }`;
}

/** Bytes that read as metadata and are none. */
function lookalikeAuxdata(random: Random): Uint8Array {
  const cbor = encode({ ipfs: random.bytes(34), solc: random.bytes(3) });
  return Uint8Array.from([...cbor, 0, cbor.length]);
}

function yulObject(random: Random): string {
  return `object "P" {
  code {
    datacopy(0, dataoffset("P_deployed"), datasize("P_deployed"))
    setimmutable(0, "owner", caller())
    return(0, datasize("P_deployed"))
  }
  object "P_deployed" {
    code {
      datacopy(0, dataoffset("blob"), datasize("blob"))
      mstore(320, loadimmutable("owner"))
      mstore(352, mod(loadimmutable("owner"), calldataload(0)))
      return(0, 384)
    }
    data "blob" hex"${bareHex(random.bytes(1 + random.below(300)))}"
    data ".metadata" hex"${bareHex(lookalikeAuxdata(random))}"
  }
}`;
}
