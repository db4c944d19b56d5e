import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { compileForTest } from '../../../../test/kit/verify/compile-for-test.ts';
import { runConstructor } from '../../../../test/kit/verify/run-constructor.ts';
import { once } from '../../../values/once.ts';
import type { StandardJson } from '../../standard-json.ts';
import { selectOutput } from '../solidity/solidity-compiler.ts';
import { readFunctionPointers } from './function-pointers.ts';
import { readSolidityOutput } from './solidity-output.ts';

const VERSION = '0.8.30+commit.73712a01';
const TARGET = { path: 'a.sol', name: 'A' };
/** Packages of tests are below `test`, the others above it. */
const require = createRequire(new URL('../../../../test/', import.meta.url));
const solc = require('solc/wrapper')(require('solc-0.8.30/soljson.js'));
/** Numbers functions in the same way, without showing the numbers. */
const OLDER_VERSION = '0.8.18+commit.87f61d96';
const olderSolc = once(() => require('solc/wrapper')(require('solc-0.8.18/soljson.js')));

/** The values that each immutable of the target may have, in the order of their ids. */
function valuesOf(
  contents: Readonly<Record<string, string>>,
  settings: StandardJson['settings'] = {},
  [compiler, version] = [solc, VERSION],
): readonly (readonly number[])[] {
  const sources = Object.fromEntries(Object.entries(contents).map(([path, content]) => [path, { content }]));
  const input: StandardJson = { language: 'Solidity', sources, settings };
  const output = JSON.parse(compiler.compile(JSON.stringify(selectOutput(input, TARGET, 'target'))));
  const read = readSolidityOutput(output, input, TARGET, version);
  if (read.kind !== 'contract') throw new Error(JSON.stringify(output.errors));
  return Object.values(read.contract.traits?.functionPointers ?? {});
}

const counts = (...given: Parameters<typeof valuesOf>) => valuesOf(...given).map(({ length }) => length);

const contract = (name: string, declared: string, own: string, body: string) => `
contract ${name} { uint n${own}; function() internal immutable ${declared}; constructor() { ${body} }
  function ${own}() internal { n${own} += 1; } function other${own}() internal { n${own} += 2; } function go${own}() public { ${declared}(); } }`;

test('a function of another file that is assigned at the same place is not allowed', () => {
  const a = `import "c.sol";${contract('A is C', 'step', 'addOne', 'step = addOne;')}`;
  const c = contract('C', 'g', 'drain1', 'g = drain1;');
  const pad = a.indexOf('= addOne') - c.indexOf('= drain1') - '/**/'.length;
  const aligned = `/*${'x'.repeat(pad)}*/${c}`;
  expect(aligned.indexOf('= drain1')).toBe(a.indexOf('= addOne'));
  expect(counts({ 'a.sol': a, 'c.sol': aligned })).toEqual([1, 1]);
});

test('functions of another contract of the name are not allowed by number', () => {
  const own = contract('A', 'step', 'addOne', 'step = addOne;');
  const before = 'function first() internal { naddOne += 9; } function() internal immutable early;';
  const namesake = own.replace('constructor() {', `${before} constructor() { early = first;`);
  const b = namesake.replace('public { step();', 'public { early(); step();');
  expect(counts({ 'a.sol': `import "b.sol" as b;${own}`, 'b.sol': b }, { viaIR: true })).toEqual([1]);
});

test('what a tuple may assign is not known, so that every destination is allowed', () => {
  const body = 'step = addOne; if (block.number > 1) (step, naddOne) = (otheraddOne, 1);';
  const [found = 0] = counts({ 'a.sol': contract('A', 'step', 'addOne', body) });
  expect(found).toBeGreaterThan(1);
});

test('no value is allowed where there may be too many to keep (issue 40)', () => {
  const list = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => text(index)).join(' ');
  const a = `contract A { uint n; ${list(60, (index) => `function() internal immutable s${index};`)}
  constructor(uint at) { function() internal[80] memory all; ${list(80, (index) => `all[${index}] = f${index};`)}
    ${list(60, (index) => `s${index} = all[at + ${index}];`)} }
  ${list(80, (index) => `function f${index}() internal { n += ${index}; }`)}
  function go() public { ${list(60, (index) => `s${index}();`)} } }`;
  const found = counts({ 'a.sol': a });
  expect(Math.max(...found)).toBeGreaterThanOrEqual(80);
  expect(Math.min(...found)).toBe(0);
});

test.each([
  // Of each other place the same destination.
  { pushed: 20_000, pointers: 1, first: () => 5 },
  { pushed: 20_000, pointers: 500, first: () => 5 },
  // Each place with one of its own, the other code with few.
  { pushed: 20_000, pointers: 500, first: (index: number) => index % 64 },
])(
  'reading $pushed destinations of $pointers pointers takes no time by their square',
  ({ pushed, pointers, first }) => {
    const push = (part: bigint, begin: number) => ({
      ...{ name: 'PUSH [tag]', value: String((part << 64n) + 1n), source: 0 },
      ...{ begin, end: begin + 1 },
    });
    const items = Array.from({ length: pushed }, (_, index) => [push(1n, index), push(0n, pushed + index)]);
    const code = items.flatMap((_, index) => [0x60, first(index), 0x60, first(index)]);
    const ids = Array.from({ length: pointers }, (_, index) => index + 1);
    const typeDescriptions = { typeIdentifier: 't_function_internal_nonpayable' };
    const startedAt = process.cpuUsage();
    readFunctionPointers({
      ...{ version: VERSION, target: TARGET, usesIr: false },
      items: items.flat(),
      creation: Uint8Array.from(code),
      immutableReferences: Object.fromEntries(ids.map((id) => [id, [{ start: 0, length: 32 }]])),
      trees: { 'a.sol': ids.map((id) => ({ nodeType: 'VariableDeclaration', id, typeDescriptions })) },
    });
    expect(process.cpuUsage(startedAt).user).toBeLessThan(3_000_000);
  },
);

test('below 0.8.7 the IR stores the id of a function, which files that are only sent along shift (issue 40)', () => {
  const a = `abstract contract Base { uint n; function() internal immutable step; constructor() { step = one; }
    function one() internal virtual { n += 1; } function go() public { step(); } }
  contract Other is Base { function one() internal override { n += 2; } }
  contract A is Base { function one() internal override { n += 3; } function two() internal { n += 4; } }`;
  const sources = { '0.sol': { content: 'contract Shifts { uint n; }' }, 'a.sol': { content: a } };
  const settings = { outputSelection: { '*': { '': ['ast'] } } };
  const { sources: read } = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })),
  );
  const tree = read['a.sol'].ast;
  const [base, , contract] = tree.nodes.filter(
    (node: { nodeType: string }) => node.nodeType === 'ContractDefinition',
  );
  const idOf = (node: { nodes: { name: string; id: number }[] }, name: string) =>
    node.nodes.find((each) => each.name === name)?.id ?? expect.fail(name);
  const step = idOf(base, 'step');
  const pointers = readFunctionPointers({
    ...{ version: '0.8.6+commit.11564f7e', target: TARGET, usesIr: true, items: [] },
    ...{ creation: new Uint8Array(), immutableReferences: { [step]: [{ start: 0, length: 32 }] } },
    trees: { 'a.sol': tree },
  });
  expect(pointers).toEqual({ [step]: [idOf(base, 'one'), idOf(contract, 'one')] });
});

const ADDERS = `uint total; function one() internal virtual { total += 1; } function two() internal { total += 2; }
  function drain() internal { payable(msg.sender).transfer(1); }`;
const STEP = 'function() internal immutable step;';
const RUN = 'function run() external { step(); }';
const pointTo = (name: string) => `{ function() internal f = ${name}; f(); }`;

test.each([
  ['alone', `contract A { ${STEP} constructor() { step = two; } ${ADDERS} ${RUN} }`, [1]],
  [
    'before those that only calls reach',
    `contract A { ${STEP} constructor() { step = two; } ${ADDERS} ${RUN}
      function pick(bool b) external { function() internal f = b ? one : drain; f(); two(); } }`,
    [1],
  ],
  [
    'among what the constructor points to as well',
    `contract A { ${STEP} constructor() { ${pointTo('one')} step = two; function() internal f = drain; if (total == 7) f(); } ${ADDERS} ${RUN} }`,
    [1, 2, 3],
  ],
  [
    'among what a modifier and a base point to',
    `contract B { ${ADDERS} constructor() { ${pointTo('one')} } }
     contract A is B { ${STEP} modifier m() { ${pointTo('two')} _; } constructor() m { step = drain; } ${RUN} }`,
    [1, 2, 3],
  ],
  [
    'as what overrides it, assigned in a base',
    `contract B { ${STEP} constructor() { step = one; } ${ADDERS} ${RUN} }
     contract A is B { function one() internal override { total += 3; } function use() external { ${pointTo('two')} } }`,
    [1],
  ],
  [
    'of a library, beside one of the file',
    `function free() {} library L { function lib() internal {} }
     contract A { ${STEP} constructor() { step = L.lib; ${pointTo('free')} } ${RUN} }`,
    [1, 2],
  ],
  [
    'among what a function that the constructor calls points to',
    `contract A { ${STEP} constructor() { step = drain; init(); } ${ADDERS} ${RUN} function init() internal { ${pointTo('one')} } }`,
    [1, 2],
  ],
  [
    'where nothing reaches another one',
    `contract A { ${STEP} constructor() { step = drain; } ${ADDERS} ${RUN} function dead() internal { ${pointTo('one')} } }`,
    [1],
  ],
  [
    'by its declaration',
    `contract A { function() internal immutable step = two; ${ADDERS} ${RUN} constructor() { ${pointTo('one')} } }`,
    [1, 2],
  ],
  [
    'not known, as a variable is assigned',
    `contract A { ${STEP} constructor(bool b) { function() internal f = b ? one : two; step = f; } ${ADDERS} ${RUN}
      function use() external { ${pointTo('drain')} } }`,
    [1, 2],
  ],
])('an older compiler does not show the number of a function: %s', (_, declared, wanted) => {
  const source = `pragma solidity ^0.8.0; ${declared}`;
  const settings = { viaIR: true, optimizer: { enabled: true } };
  expect(valuesOf({ 'a.sol': source }, settings, [olderSolc(), OLDER_VERSION])).toEqual([wanted]);
  const input = { language: 'Solidity', sources: { 'a.sol': { content: source } }, settings };
  const { bytecode } = compileForTest(input, 'a.sol', 'A', 'solc-0.8.18');
  const creation = Buffer.from(`${bytecode.slice(2)}${'1'.padStart(64, '0')}`, 'hex');
  const runtime = Buffer.from(runConstructor(creation)).toString('hex');
  const stored = [...runtime.matchAll(/7f0{63}(\d)/g)].map(([, digit]) => Number(digit));
  expect(stored.length).toBeGreaterThan(0);
  expect(wanted).toEqual(expect.arrayContaining(stored));
});
