import { expect, test } from 'vitest';
import { until } from '../support/serve-process.ts';
import { attackTimeout } from './attack-seconds.ts';
import { addressOf, CHAIN, readJob, submissionText, WITHOUT_METADATA } from './contracts.ts';
import { expectAnswered, expectLively, expectSmall, printAttack } from './report.ts';
import { underAttack } from './under-attack.ts';

const SHORT_SECONDS = 5;
const PARTS = 600;
/** Of the beginnings of auxdata: a code that may be compared, and one that is too long. */
const [FEW, MANY] = [1500, 60_000];
const LIBRARIES = 300;
const HEAD_OF_AUXDATA = 'a264697066735822122000';

const attacked = underAttack();

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A factory of many contracts beside a literal in which auxdata seem to begin everywhere. */
function manyParts(beginnings: number): string {
  const parts = range(PARTS).map((index) => `contract C${index} {}`);
  const creations = range(PARTS).map((index) => `new C${index}();`);
  const functions = range(PARTS / 100).map(
    (each) => `function f${each}() external { ${creations.slice(100 * each, 100 * (each + 1)).join(' ')} }`,
  );
  const literal = HEAD_OF_AUXDATA.repeat(beginnings);
  return `${parts.join('\n')} contract A { ${functions.join(' ')} function g() external returns (bytes memory) { return hex"${literal}"; } }`;
}

/** Each contract has the code of two, which have that of two. */
function doubling(levels: number): string {
  const first = `function x() external returns (bytes memory) { return hex"${'5b'.repeat(10_000)}"; }`;
  const contracts = range(levels).flatMap((level) =>
    ['A', 'B'].map((name) => {
      const next = `new A${level}(); new B${level}();`;
      return `contract ${name}${level + 1} { uint constant public z${name} = 1; function x() external { ${next} } }`;
    }),
  );
  return `contract A0 { ${first} } contract B0 { ${first} uint constant public z = 1; } ${contracts.join('\n')} contract A { function x() external { new A${levels}(); } }`;
}

/** Places of libraries, each of which is named with the path. */
function manyLibraries(): string {
  const libraries = range(LIBRARIES).map((index) => `library L${index} { function f() public {} }`);
  const calls = range(LIBRARIES).map((index) => `L${index}.f();`);
  return `${libraries.join('\n')} contract A { function x() external { ${calls.join(' ')} } }`;
}

const post = (address: string, content: string, path = 'a.sol') => {
  const { compilerVersion } = JSON.parse(submissionText()) as { readonly compilerVersion: string };
  const stdJsonInput = { language: 'Solidity', sources: { [path]: { content } }, settings: {} };
  return fetch(`${attacked.server.url}/v2/verify/${CHAIN}/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ stdJsonInput, compilerVersion, contractIdentifier: `${path}:A` }),
  });
};

test('codes far longer than any on chain are compared in no time, also when they come again', {
  ...attackTimeout(SHORT_SECONDS + 100),
}, async () => {
  const long = await post(WITHOUT_METADATA, 'contract A {}', `${'p'.repeat(1025)}.sol`);
  expect(long.status).toBe(400);
  expect(await long.text()).toMatch(/stdJsonInput\/sources must NOT have paths of more than 1024/);

  const before = await attacked.probe.take();
  const path = `${'p'.repeat(1020)}.sol`;
  for (const [content, file, code] of [
    [manyParts(FEW), 'a.sol', 'no_match'],
    [manyParts(MANY), 'a.sol', 'no_match'],
    [doubling(5), 'a.sol', 'no_match'],
    [doubling(8), 'a.sol', 'compiler_error'],
    [manyLibraries(), path, 'no_match'],
  ] as const) {
    for (const [address, ending] of [
      [WITHOUT_METADATA, code],
      [addressOf(1), code === 'no_match' ? 'bytecode_length_mismatch' : code],
      [WITHOUT_METADATA, code],
    ] as const) {
      const accepted = await post(address, content, file);
      expect(accepted.status).toBe(202);
      const { verificationId: id } = (await accepted.json()) as { readonly verificationId: string };
      await until(
        'the job has ended',
        async () => (await readJob(attacked.server.url, id, 10))?.isJobCompleted === true,
      );
      const job = await (await fetch(`${attacked.server.url}/v2/verify/${id}`)).json();
      expect(job, content.slice(0, 40)).toMatchObject({ error: { customCode: ending } });
    }
  }
  const during = await attacked.probe.take();
  printAttack('codes far longer than any on chain', attacked.server, { before, during });
  expect(attacked.server.end()).toBeNull();
  expectAnswered(during);
  expectLively(during);
  expectSmall(attacked.server);
});
