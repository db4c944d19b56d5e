import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileForTest, type TestArtifact } from '../kit/verify/compile-for-test.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { type RawAnswer, sendRaw } from './raw-request.ts';

/**
 * Requests as client programs send them, header by header; forge's and hardhat's were recorded from the programs
 * that the tests beside this one run.
 *
 * @see contracts/client-needs.md section 3, contracts/verification-api.md section 13
 */
const CHAIN = '296';
const VERSION = '0.8.30+commit.73712a01';
const PATH = 'contracts/Ledger.sol';
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Ledger {
  event Paid(address indexed from, uint256 amount);
  mapping(address => uint256) public paid;
  function pay() external payable { paid[msg.sender] += msg.value; emit Paid(msg.sender, msg.value); }
}
`;
/** One address for each test, all with the same code on the chain but `other`. */
const ADDRESSES = {
  forge: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  hardhat: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
  other: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  catapult: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
  blockscout: '0xdc64a140aa3e981100a9beca4e685f962f0cf6c9',
  explorer: '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707',
  unknown: '0x0165878A594ca255338adfa4d48449f69242Eb8F',
};

/** The members that forge writes beside the user's settings. */
const FORGE_SETTINGS = {
  optimizer: { enabled: false, runs: 200 },
  metadata: { useLiteralContent: false, bytecodeHash: 'ipfs', appendCBOR: true },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.methodIdentifiers', 'metadata'] } },
  evmVersion: 'prague',
  viaIR: false,
  libraries: {},
};
/** hardhat does not ask for metadata. */
const HARDHAT_SETTINGS = {
  evmVersion: 'prague',
  optimizer: { enabled: false, runs: 200 },
  outputSelection: { '*': { '': ['ast'], '*': ['abi', 'evm.bytecode.object', 'evm.methodIdentifiers'] } },
  remappings: [],
  libraries: {},
};
const anInput = (settings: object, path = PATH, content = SOURCE) => ({
  language: 'Solidity',
  sources: { [path]: { content } },
  settings,
});

describe('clients, replayed', () => {
  let folder = '';
  let server: ServeProcess;
  let compiled: TestArtifact;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerlens-clients-'));
    compiled = compileForTest(anInput(FORGE_SETTINGS), PATH, 'Ledger');
    const hardhatPath = `project/${PATH}`;
    const ofHardhat = compileForTest(anInput(HARDHAT_SETTINGS, hardhatPath), hardhatPath, 'Ledger');
    const { unknown: _, ...deployed } = ADDRESSES;
    const codes = Object.entries(deployed).map(([name, address]) => {
      const { bytecode, runtime } = name === 'hardhat' ? ofHardhat : compiled;
      const runtimeBytecode = name === 'other' ? runtime.replace(/3$/, '4') : runtime;
      return [
        address,
        name === 'catapult' ? { runtimeBytecode } : { runtimeBytecode, creationBytecode: bytecode },
      ];
    });
    server = await startServe(
      {
        DATABASE_URL: 'sqlite::memory:',
        DRAIN_SECONDS: '0',
        VERIFY_CHAINS: JSON.stringify({ [CHAIN]: { static: Object.fromEntries(codes) } }),
      },
      folder,
    );
  });
  afterAll(async () => {
    await server?.stop('SIGTERM');
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, headers: Readonly<Record<string, string>>) =>
    sendRaw(`${server.url}${path}`, headers);
  const post = (path: string, headers: Readonly<Record<string, string>>, body: object) =>
    sendRaw(`${server.url}${path}`, { ...headers, 'Content-Type': 'application/json' }, body);

  /** Asks as often as the client would until the job is completed. */
  async function poll(accepted: RawAnswer, headers: Readonly<Record<string, string>>) {
    expect(accepted.status).toBe(202);
    for (;;) {
      const answer = await get(`/v2/verify/${accepted.body['verificationId']}`, headers);
      expect(answer.status).toBe(200);
      if (answer.body['isJobCompleted'] === true) return answer.body;
    }
  }

  const noMatch = (address: string) => ({
    match: null,
    creationMatch: null,
    runtimeMatch: null,
    chainId: CHAIN,
    address,
  });

  test('forge: lookup, submission, one poll, and a lookup that lets it skip the next time', async () => {
    const headers = { accept: '*/*', 'accept-encoding': 'gzip' };
    const lookup = `/v2/contract/${CHAIN}/${ADDRESSES.forge}`;
    const before = await get(lookup, headers);
    expect([before.status, before.body]).toEqual([404, noMatch(ADDRESSES.forge)]);
    const submission = {
      stdJsonInput: anInput(FORGE_SETTINGS),
      compilerVersion: VERSION,
      contractIdentifier: `${PATH}:Ledger`,
    };
    const accepted = await post(`/v2/verify/${CHAIN}/${ADDRESSES.forge}`, headers, submission);
    expect(accepted.body).toEqual({ verificationId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const job = await poll(accepted, headers);
    expect(job).toMatchObject({ contract: { match: 'exact_match', chainId: CHAIN } });
    expect(job).not.toHaveProperty('error');
    const after = await get(lookup, headers);
    expect(after.body).toMatchObject({ creationMatch: 'exact_match', runtimeMatch: 'exact_match' });
    const again = await post(`/v2/verify/${CHAIN}/${ADDRESSES.forge}`, headers, submission);
    expect(again.status).toBe(409);
    const gone = await get('/v2/verify/5b0f9a3e-7a42-4c67-9b1a-0d3b1f6c2e11', headers);
    expect(gone.status).toBe(404);
  });

  describe('hardhat-verify', () => {
    const headers = { 'User-Agent': 'Hardhat' };
    const identifier = `project/${PATH}:Ledger`;
    const submit = (address: string, content = SOURCE) =>
      post(`/v2/verify/${CHAIN}/${address}`, headers, {
        stdJsonInput: anInput(HARDHAT_SETTINGS, `project/${PATH}`, content),
        contractIdentifier: identifier,
        compilerVersion: `v${VERSION}`,
      });

    test('an address as the user typed it; no error member on success', async () => {
      const lookup = `/v2/contract/${CHAIN}/${ADDRESSES.hardhat}`;
      const before = await get(lookup, headers);
      expect(before.status).toBe(404);
      expect(Object.keys(before.body).sort()).toEqual(Object.keys(noMatch('')).sort());
      const job = await poll(await submit(ADDRESSES.hardhat), headers);
      expect(Object.keys(job)).toEqual(
        expect.arrayContaining(['isJobCompleted', 'verificationId', 'jobStartTime', 'contract']),
      );
      expect(job).toMatchObject({ contract: { match: 'exact_match' } });
      expect('error' in job).toBe(false);
      expect((await get(lookup, headers)).body).toMatchObject({ match: 'exact_match' });
      const links = [`/repo-ui/${CHAIN}/${ADDRESSES.hardhat}`, `/verify-ui/jobs/${job['verificationId']}`];
      for (const link of links) expect((await fetch(`${server.url}${link}`)).status, link).toBe(200);
      const again = await submit(ADDRESSES.hardhat);
      expect(again.status).toBe(409);
      expect(again.body).toEqual({
        customCode: 'already_verified',
        message: expect.any(String),
        errorId: expect.any(String),
      });
    });

    test('a second submission right after a failed job is accepted', async () => {
      const changed = SOURCE.replace('+=', '-=');
      for (const attempt of [1, 2]) {
        const job = await poll(await submit(ADDRESSES.other, changed), headers);
        expect(job, `attempt ${attempt}`).toMatchObject({
          error: { customCode: 'no_match', message: expect.any(String), errorId: expect.any(String) },
          contract: noMatch(ADDRESSES.other),
        });
      }
    });

    test('an address without code and an unknown chain have their codes', async () => {
      const job = await poll(await submit(ADDRESSES.unknown), headers);
      expect(job).toMatchObject({ error: { customCode: 'contract_not_deployed' } });
      const refused = await get(`/v2/contract/777/${ADDRESSES.hardhat}`, headers);
      expect(refused.status).toBe(400);
      expect(refused.body).toEqual({
        customCode: 'unsupported_chain',
        message: 'Chain 777 not found',
        errorId: expect.any(String),
      });
    });
  });

  test('catapult: a job that finds nothing better ends with a code that it takes as success', async () => {
    // What Node's fetch sends.
    const headers = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };
    const lookup = `/v2/contract/${CHAIN}/${ADDRESSES.catapult}?fields=match`;
    const before = await get(lookup, headers);
    expect(before.status).toBe(404);
    const submit = () =>
      post(`/v2/verify/${CHAIN}/${ADDRESSES.catapult}`, headers, {
        stdJsonInput: anInput(FORGE_SETTINGS),
        compilerVersion: VERSION,
        contractIdentifier: `${PATH}:Ledger`,
      });
    expect(await poll(await submit(), headers)).toMatchObject({ contract: { match: 'exact_match' } });
    // Without creation code only one of the two matches exists, so the next submission is not refused.
    const again = await poll(await submit(), headers);
    expect(again).toMatchObject({ isJobCompleted: true, error: { customCode: 'already_verified' } });
    expect((await get(lookup, headers)).body).toMatchObject({ match: 'exact_match' });
  });

  test('Blockscout: metadata and sources go in and come out', async () => {
    const address = ADDRESSES.blockscout;
    const metadata = JSON.parse(compiled.metadata) as object;
    const lookup = `/v2/contract/${CHAIN}/${address}`;
    expect((await get(`${lookup}?fields=sources%2Cmetadata`, {})).status).toBe(404);
    const body = { sources: { 'Ledger.sol': SOURCE }, metadata };
    const job = await poll(await post(`/v2/verify/metadata/${CHAIN}/${address}`, {}, body), {});
    expect(job['error'] ?? null).toBeNull();
    const status = await get(lookup, {});
    expect(status.body['match']).toBe('exact_match');
    const files = await get(`${lookup}?fields=sources%2Cmetadata`, {});
    expect(files.status).toBe(200);
    expect(files.body).toMatchObject({
      match: 'exact_match',
      sources: { [PATH]: { content: SOURCE } },
      metadata,
    });
  });

  test('Blockscout: a missing file is told in the message that it shows', async () => {
    const metadata = JSON.parse(compiled.metadata) as object;
    const body = { sources: {}, metadata };
    const job = await poll(await post(`/v2/verify/metadata/${CHAIN}/${ADDRESSES.other}`, {}, body), {});
    expect(job).toMatchObject({ error: { message: expect.stringContaining(PATH) } });
    const refused = await post(`/v2/verify/metadata/${CHAIN}/${ADDRESSES.other}`, {}, { sources: {} });
    expect(refused.status).toBe(400);
    expect(refused.body['message']).toEqual(expect.stringContaining('metadata'));
  });

  describe('after a verification', () => {
    beforeAll(async () => {
      const submission = {
        stdJsonInput: anInput(FORGE_SETTINGS),
        compilerVersion: VERSION,
        contractIdentifier: `${PATH}:Ledger`,
      };
      await poll(await post(`/v2/verify/${CHAIN}/${ADDRESSES.explorer}`, {}, submission), {});
    });

    test('wagmi: the ABI alone, or 404', async () => {
      const ask = (address: string) => fetch(`${server.url}/v2/contract/${CHAIN}/${address}?fields=abi`);
      const answer = await ask(ADDRESSES.explorer);
      expect(answer.status).toBe(200);
      const { abi } = (await answer.json()) as { abi: { name: string }[] };
      expect(abi.map(({ name }) => name)).toEqual(['Paid', 'paid', 'pay']);
      expect((await ask(ADDRESSES.unknown)).status).toBe(404);
    });

    /** What a page of another origin sends. */
    const browser = {
      Accept: 'application/json, text/plain, */*',
      'Accept-Encoding': 'gzip, deflate, br',
      Origin: 'http://explorer.test',
      Referer: 'http://explorer.test/',
    };

    test('explorer: a contract page, readable from another origin with and without a match', async () => {
      const query = 'fields=metadata,sources';
      const page = await get(`/v2/contract/${CHAIN}/${ADDRESSES.explorer}?${query}`, browser);
      expect(page.status).toBe(200);
      expect(page.headers['access-control-allow-origin']).toBe('*');
      expect(page.body).toMatchObject({
        runtimeMatch: 'exact_match',
        sources: { [PATH]: { content: SOURCE } },
        metadata: {
          output: { abi: expect.any(Array) },
          settings: { compilationTarget: { [PATH]: 'Ledger' }, evmVersion: 'prague' },
        },
      });
      const none = await get(`/v2/contract/${CHAIN}/${ADDRESSES.unknown}?${query}`, browser);
      expect([none.status, none.body]).toEqual([404, noMatch(ADDRESSES.unknown)]);
      expect(none.headers['access-control-allow-origin']).toBe('*');
    });

    test('explorer: the list of contracts, newest first, and back from an id on', async () => {
      const list = async (query: string) => {
        const { body } = await get(`/v2/contracts/${CHAIN}?limit=15${query}`, browser);
        return (body['results'] as { matchId: string }[]).map(({ matchId }) => Number(matchId));
      };
      const newest = await list('');
      expect(newest.length).toBeGreaterThan(0);
      expect(newest).toEqual([...newest].sort((a, b) => b - a));
      const [first = 0] = newest;
      expect(await list(`&afterMatchId=${first}`)).toEqual(newest.slice(1));
      expect(await list(`&afterMatchId=${first}&sort=asc`)).toEqual([]);
      expect(await list(`&afterMatchId=${first - 1}&sort=asc`)).toEqual([first]);
    });
  });
});
