import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { type Anvil, anvilMissing, startAnvil } from './anvil.ts';
import { type CompilerHost, startCompilerHost } from './compiler-host.ts';
import { COUNTER_SOURCE, DOUBLER_SOURCE, OTHER_COUNTER_SOURCE, PRIVATE_KEY } from './counter-contract.ts';
import { FORGE_VERSIONS, type ForgeProject, forgeMissing, openForgeProject } from './forge.ts';
import type { ClientRun } from './run-client.ts';

const missing = forgeMissing ?? anvilMissing;

/** A chain of which forge knows an explorer: for others it has `custom` alone. */
const CHAIN = '11155111';
const COUNTER = 'src/Counter.sol';
const DOUBLER = 'src/Doubler.sol';

let folder = '';
let anvil: Anvil;
let host: CompilerHost;
let server: ServeProcess;
let project: ForgeProject;
const projects: ForgeProject[] = [];

beforeAll(async () => {
  if (missing !== null) return;
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-clients-'));
  [anvil, host] = await Promise.all([startAnvil(Number(CHAIN)), startCompilerHost('0.8.30+commit.73712a01')]);
  server = await startServe(
    {
      DATABASE_URL: 'sqlite::memory:',
      DRAIN_SECONDS: '0',
      VERIFY_CHAINS: JSON.stringify({ [CHAIN]: { rpc: [anvil.url] } }),
    },
    folder,
  );
});
afterAll(async () => {
  if (missing !== null) return;
  for (const each of projects) each.remove();
  await server?.stop('SIGTERM');
  await Promise.all([host?.close(), anvil?.close()]);
  rmSync(folder, { recursive: true });
});

function open(executable?: string): ForgeProject {
  project = openForgeProject(host, executable);
  projects.push(project);
  project.write(COUNTER, COUNTER_SOURCE);
  project.write(DOUBLER, DOUBLER_SOURCE);
  return project;
}

async function deploy(contract: string, ...args: readonly string[]): Promise<string> {
  const account = ['--rpc-url', anvil.url, '--private-key', PRIVATE_KEY, '--broadcast'];
  const run = await project.run('create', contract, ...account, ...args);
  const address = /Deployed to: (0x[0-9a-fA-F]{40})/.exec(run.output)?.[1];
  if (address === undefined) throw new Error(`no contract was deployed:\n${run.output}`);
  return address;
}

const deployCounter = (start: number) =>
  deploy(`${COUNTER}:Counter`, '--constructor-args', String(start), 'a label');
/** `abi.encode(start, "a label")` */
const argumentsOf = (start: number) =>
  `0x${start.toString(16).padStart(64, '0')}${'40'.padStart(64, '0')}${'7'.padStart(64, '0')}` +
  Buffer.from('a label').toString('hex').padEnd(64, '0');

type Setting = readonly [verifier: string, path: string];
const etherscan: Setting = ['etherscan', '/api'];

function verify(address: string, contract: string, [verifier, path]: Setting, ...options: readonly string[]) {
  return project.run(
    'verify-contract',
    address,
    contract,
    '--chain',
    CHAIN,
    '--rpc-url',
    anvil.url,
    '--verifier',
    verifier,
    '--verifier-url',
    `${server.url}${path}`,
    // With a key forge takes every verifier for this one.
    ...(verifier === 'etherscan' ? ['--etherscan-api-key', 'any'] : []),
    ...options,
  ) satisfies Promise<ClientRun>;
}

async function gradeOf(address: string): Promise<unknown> {
  const answer = await fetch(`${server.url}/v2/contract/${CHAIN}/${address}`);
  return ((await answer.json()) as { readonly match: unknown }).match;
}

describe.skipIf(isLeftOut(missing))('forge and Etherscan’s form, unmodified', { timeout: 120_000 }, () => {
  beforeAll(() => void open());

  test.each<Setting>([
    ['etherscan', '/api'],
    ['etherscan', '/v2/api'],
    ['blockscout', '/api/'],
    ['custom', '/api/11155111'],
  ])('--verifier %s at %s', async (...setting) => {
    const start = 10 + setting.join().length;
    const address = await deployCounter(start);
    const options = ['--constructor-args', argumentsOf(start), '--watch'];
    const run = await verify(address, `${COUNTER}:Counter`, setting, ...options);
    expect(run.output).toContain('Details: `Pass - Verified`');
    expect(run.exitCode, run.output).toBe(0);
    expect(await gradeOf(address)).toBe('exact_match');
    const again = await verify(address, `${COUNTER}:Counter`, setting, ...options);
    expect(again.output).toContain('is already verified. Skipping verification.');
    const forced = await verify(address, `${COUNTER}:Counter`, setting, '--skip-is-verified-check');
    expect([forced.exitCode, forced.output]).toEqual([
      0,
      expect.stringContaining('Contract source code already verified'),
    ]);
  });

  test('finds constructor arguments by the creation, links libraries, and takes a flattened file', async () => {
    const address = await deployCounter(2);
    const guessed = await verify(
      address,
      `${COUNTER}:Counter`,
      etherscan,
      '--guess-constructor-args',
      '--watch',
    );
    expect(guessed.output).toContain('Pass - Verified');
    const library = ['--libraries', `${DOUBLER}:Doubling:${await deploy(`${DOUBLER}:Doubling`)}`];
    const doubler = await deploy(`${DOUBLER}:Doubler`, ...library, '--constructor-args', '7');
    const linked = await verify(doubler, `${DOUBLER}:Doubler`, etherscan, ...library, '--watch');
    expect(linked.output).toContain('Pass - Verified');
    expect(await gradeOf(doubler)).toBe('exact_match');
    const flat = await deploy(`${DOUBLER}:Doubling`);
    const flattened = await verify(flat, `${DOUBLER}:Doubling`, etherscan, '--flatten', '--watch');
    expect(flattened.output).toContain('Pass - Verified');
  });

  test('reports other arguments, other sources and an address without code', async () => {
    const wrong = ['--constructor-args', argumentsOf(4), '--watch'];
    const mistaken = await verify(await deployCounter(3), `${COUNTER}:Counter`, etherscan, ...wrong);
    // forge prints `result`, which has no room for a reason.
    expect(mistaken.output).toMatch(/Fail - Unable to verify`?$/m);
    expect(mistaken.exitCode).toBe(1);
    const address = await deployCounter(5);
    project.write(COUNTER, OTHER_COUNTER_SOURCE);
    const other = await verify(address, `${COUNTER}:Counter`, etherscan, '--watch');
    project.write(COUNTER, COUNTER_SOURCE);
    expect(other.output).toMatch(/Fail - Unable to verify`?$/m);
    expect(other.exitCode).toBe(1);
    const nowhere = `0x${'0'.repeat(36)}dEaD`;
    const none = await verify(nowhere, `${COUNTER}:Counter`, etherscan, '--retries', '1', '--delay', '1');
    expect(none.output).toContain('Unable to locate ContractCode at');
    expect(none.exitCode).toBe(1);
  });

  test('verify-check asks for the end, verify-bytecode compares with what is verified', async () => {
    const address = await deployCounter(6);
    const submitted = await verify(address, `${COUNTER}:Counter`, etherscan);
    const id = /GUID: `([^`]+)`/.exec(submitted.output)?.[1] ?? '';
    const options = ['--chain', CHAIN, '--verifier', 'etherscan', '--verifier-url', `${server.url}/api`];
    const check = await project.run('verify-check', id, ...options, '--etherscan-api-key', 'any');
    expect(check.output).toContain('Contract successfully verified');
    const compared = await project.run(
      'verify-bytecode',
      address,
      'Counter',
      '--rpc-url',
      anvil.url,
      '--verifier',
      'etherscan',
      '--verifier-url',
      `${server.url}/api`,
      '--etherscan-api-key',
      'any',
    );
    expect(compared.output).toContain('Creation code matched with status full');
    expect(compared.output).toContain('Runtime code matched with status full');
    expect(compared.exitCode).toBe(0);
  });
});

describe.skipIf(isLeftOut(missing)).each(FORGE_VERSIONS)(
  'forge $version',
  { timeout: 120_000 },
  ({ executable }) => {
    beforeAll(() => void open(executable));

    test.each<readonly [string, Setting, RegExp]>([
      ['version 2 of the API', ['sourcify', '/'], /Contract successfully verified:\s+Status: `exact_match`/],
      ['Etherscan’s form', etherscan, /Details: `Pass - Verified`/],
    ])('verifies by %s', async (_, setting, text) => {
      const address = await deployCounter(Math.floor(performance.now()));
      const run = await verify(address, `${COUNTER}:Counter`, setting, '--watch');
      expect(run.output).toMatch(text);
      expect(run.exitCode, run.output).toBe(0);
      expect(await gradeOf(address)).toBe('exact_match');
    });
  },
);
