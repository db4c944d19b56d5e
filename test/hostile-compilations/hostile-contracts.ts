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
  'library by way of the IR': '0.8.2',
  'library at zero': '0.8.2',
  'parts in the code twice': '0.8.2',
  'function pointers': '0.6.12',
  immutables: '0.6.5',
  'several files': '0.4.11',
  'unneeded files': '0.4.10',
} as const;

export type Kind = keyof typeof KINDS;

/** A contract to compile. */
export interface HostileContract {
  readonly input: StandardJson;
  readonly target: CompilationTarget;
}

/** The end of the runtime code of another contract, bare hex; empty where it has no metadata. */
export type AuxdataOf = (contract: HostileContract) => Promise<string>;

/** A number in every contract, another of which is another contract. */
export const MARKER = '4242';

/**
 * Writes a contract of a kind in the language of a solc.
 *
 * @param drawn settings; those that make the kind are added. Default: optimizer and pipeline by chance.
 */
export async function writeContract(
  kind: Kind,
  version: string,
  random: Random,
  auxdataOf: AuxdataOf,
  drawn?: Readonly<Record<string, unknown>>,
): Promise<HostileContract> {
  const settings = settingsFor(kind, version, random, drawn);
  const of = (name: string, sources: Readonly<Record<string, string>>): HostileContract => ({
    input: {
      language: kind === 'Yul object' ? 'Yul' : 'Solidity',
      sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
      settings,
    },
    target: { path: 'P.sol', name },
  });
  const mark = `function mark(uint a) public returns (uint) { return a + ${MARKER}; }`;
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
  ${mark}
  ${random.below(2) === 0 ? '' : 'function live() public returns (address) { return address(new D()); }'}
}`;
      return of('P', { ...dead, 'P.sol': parent });
    }
    case 'data in constructors': {
      const lookalike = `hex"${bareHex(random.bytes(random.below(120)))}${bareHex(lookalikeAuxdata(random))}"`;
      const body = `bytes memory b = ${lookalike}; data = b;`;
      return of('P', {
        'P.sol': `contract P { bytes public data; uint public x; ${maker('P', body)} ${mark} }`,
      });
    }
    case 'Yul object':
      return of('P', { 'P.sol': yulObject(random) });
    case 'libraries':
    case 'library itself': {
      const immutable = isBefore(version, '0.6.5') ? 'uint public kept;' : 'uint public immutable kept;';
      const sources = {
        'P.sol': `library Lib { function f(uint a) public returns (uint) { return a + ${MARKER}; } }
library Other { function g(uint a) public returns (uint) { return a * 2; } }
contract P {
  ${immutable}
  ${maker('P', 'kept = block.number;')}
  function run(uint a) public returns (uint) { return Lib.f(a) + Other.g(a) + Lib.f(7) + kept + ${MARKER}; }
}`,
      };
      return of(kind === 'libraries' ? 'P' : 'Lib', sources);
    }
    case 'factories of three levels':
      return of('P', {
        'P.sol': `contract Leaf { uint public value; bytes public data; ${maker('Leaf', `bytes memory b = ${literal()}; data = b;`)} }
contract Branch { address public leaf; ${maker('Branch', 'leaf = address(new Leaf());')} function again() public { leaf = address(new Leaf()); } ${mark} }
contract P { address public branch; ${maker('P', 'branch = address(new Branch());')} function grow() public returns (address) { return address(new Branch()); } }`,
      });
    case 'library by way of the IR':
      return of('Lib', {
        'P.sol': `library Lib { function f(uint[] storage list) external { list.push(${MARKER} + ${random.below(99)}); } }`,
      });
    case 'library at zero':
      return of('P', {
        'P.sol': `library Zero { function f() public {} }
contract P { fallback() external payable { address o = address(Zero); assembly { if eq(caller(), o) { selfdestruct(caller()) } sstore(${MARKER}, 1) } } }`,
      });
    case 'parts in the code twice': {
      const made = random.pick(['address(new Leaf())', 'type(Leaf).creationCode.length', '2']);
      const again = random.pick(['type(Leaf).runtimeCode', 'type(Leaf).creationCode']);
      return of('P', {
        'P.sol': `contract Leaf { uint public value; bytes public data; function set() public { data = ${literal()}; } }
contract P {
  function one() public returns (uint, address) { return (${MARKER}, address(new Leaf())); }
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
  function one() internal returns (uint) { total += ${MARKER} + ${1 + random.below(99)}; return total; }
  function two() internal returns (uint) { total -= 2; return total; }
  function run() external returns (uint) { return step() + chosen(); }
  function make() external returns (address) { return address(new Child()); }
}`,
      });
    }
    case 'immutables':
      return of('P', {
        'P.sol': `contract P {
  uint public immutable big; address public immutable owner; bool immutable open; bytes4 public immutable tag;
  ${maker('P', 'big = block.number; owner = msg.sender; open = true; tag = msg.sig;')}
  function both(uint a) public view returns (uint) { return open ? big + a : big * ${MARKER}; }
}`,
      });
    case 'several files': {
      const contract = of('P', {
        'P.sol': `import "x/Base.sol"; import {Kinds} from "./mid/Kinds.sol";
contract P is Base { Kinds kinds; function use(uint a) public onlyPositive(a) returns (uint) { return twice(a) + ${MARKER}; } }`,
        'lib/Base.sol': `import "../mid/Kinds.sol";
contract Base { event Used(uint indexed a); modifier onlyPositive(uint a) { require(a > 0); _; } function twice(uint a) internal returns (uint) { emit_(a); return a * 2; } function emit_(uint a) internal { ${isBefore(version, '0.4.21') ? '' : 'emit '}Used(a); } }`,
        'mid/Kinds.sol':
          'contract Kinds { struct Pair { uint a; uint b; } mapping(uint => Pair) public pairs; }',
        'mid/Unneeded.sol': 'import "./Kinds.sol"; contract Unneeded is Kinds { uint[] public many; }',
      });
      const remappings = ['x/=lib/', ...remappingsOf(drawn)];
      return { ...contract, input: { ...contract.input, settings: { ...settings, remappings } } };
    }
    case 'unneeded files':
      return of('P', {
        'Aaa.sol': `contract Filler { ${Array.from({ length: 1 + random.below(9) }, (_, index) => `uint f${index};`).join(' ')} }`,
        'P.sol': `contract P {
  function(uint) internal returns (uint) rule; uint public last;
  function twice(uint v) internal returns (uint) { return v * 2; }
  function more(uint v) internal returns (uint) { return v * ${MARKER}; }
  function choose(bool big) public { if (big) rule = more; else rule = twice; }
  function run(uint v) public { last = rule(v); }
}`,
        'Zzz.sol': 'contract Last { uint public z; function g() public returns (uint) { return z; } }',
      });
    default: {
      const functions = Array.from({ length: 1 + random.below(4) }, (_, index) => {
        return `function f${index}() public { bytes memory b = ${literal()}; data = b; }`;
      });
      const child = 'contract C { uint public y = 3; }';
      const create = kind.startsWith('hash')
        ? 'function make() public returns (address) { return address(new C()); }'
        : '';
      return of('P', {
        'P.sol': `${child}\ncontract P { bytes public data; ${functions.join('\n')} ${create} ${mark} }`,
      });
    }
  }
}

function remappingsOf(drawn: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  return (drawn?.['remappings'] ?? []) as readonly string[];
}

function settingsFor(
  kind: Kind,
  version: string,
  random: Random,
  drawn?: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const optimizer = { enabled: random.below(2) === 0, runs: random.pick([1, 200, 10_000]) };
  const viaIR = !isBefore(version, '0.8.18') && random.below(3) === 0 ? { viaIR: true } : {};
  const isYul = kind === 'Yul object';
  const settings = drawn ?? { optimizer, ...(isYul ? {} : viaIR) };
  const metadata = (settings as { readonly metadata?: object }).metadata;
  switch (kind) {
    case 'library by way of the IR':
    case 'parts in the code twice':
      return { ...settings, viaIR: true };
    case 'library at zero': {
      const libraries = { 'P.sol': { Zero: `0x${'0'.repeat(40)}` } };
      return { ...settings, optimizer: { ...optimizer, enabled: true }, viaIR: true, libraries };
    }
    case 'hash ipfs':
    case 'hash bzzr1':
    case 'hash none':
      return { ...settings, metadata: { ...metadata, bytecodeHash: kind.slice('hash '.length) } };
    case 'no auxdata':
      return { ...settings, metadata: { ...metadata, bytecodeHash: 'none', appendCBOR: false } };
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
      sstore(calldataload(0), ${MARKER})
      mstore(320, loadimmutable("owner"))
      mstore(352, mod(loadimmutable("owner"), calldataload(0)))
      return(0, 384)
    }
    data "blob" hex"${bareHex(random.bytes(1 + random.below(300)))}"
    data ".metadata" hex"${bareHex(lookalikeAuxdata(random))}"
  }
}`;
}
