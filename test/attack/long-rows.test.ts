import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/serve-process.ts';
import { attackMs, attackTimeout } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { sendLoad } from './load.ts';
import { type Probe, startProbe } from './probe.ts';
import { expectAnswered, expectLively, expectSmall, printAttack } from './report.ts';

const SHORT_SECONDS = 5;
/** A network takes calls of 128 KiB, and as many logs as fit into the gas of one. */
const [CALLS, CALL_BYTES, LOGS] = [50, 131_072, 20_000];
const FIRST_SECOND = 1_700_000_000;
const CONTRACT = '0.0.3001';
const LAST = `${FIRST_SECOND + CALLS}.000000000`;

let folder = '';
let server: AttackedServer;
let probe: Probe;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledgerlens-attack-rows-'));
  const file = join(folder, 'calls.ndjson');
  writeFileSync(file, `${[...calls()].map((line) => JSON.stringify(line)).join('\n')}\n`);
  server = await startAttacked({ env: { MIRROR_IMPORT: file } });
  probe = await startProbe(server.url);
});
afterAll(async () => {
  await probe?.stop();
  await server?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Calls with long data, the last one with many logs. */
function* calls(): Generator<object> {
  yield { kind: 'account', account: '0.0.1001' };
  const created = `${FIRST_SECOND}.000000000`;
  yield { kind: 'contract', contract_id: CONTRACT, runtime_bytecode: '0x60', created_timestamp: created };
  for (let call = 1; call <= CALLS; call++) {
    const timestamp = `${FIRST_SECOND + call}.000000000`;
    const id = `0.0.1001-${FIRST_SECOND + call - 1}-000000000`;
    const names = { name: 'ETHEREUMTRANSACTION', transaction_id: id, entity_id: CONTRACT };
    yield { consensus_timestamp: timestamp, ...names };
    const function_parameters = `0x${'a7'.repeat(CALL_BYTES)}`;
    const gas = { gas_limit: 100_000, gas_used: 41_000 };
    yield { kind: 'contract_result', timestamp, contract_id: CONTRACT, ...gas, function_parameters };
    for (let index = 0; index < (call === CALLS ? LOGS : 0); index++) {
      const emitter = { contract_id: CONTRACT, root_contract_id: CONTRACT };
      yield { kind: 'contract_log', timestamp, index, ...emitter, topics: [], data: '0x2a' };
    }
  }
}

test('lists of long calls and a result with many logs delay no client', {
  ...attackTimeout(SHORT_SECONDS + 60),
}, async () => {
  const list = `${server.url}/api/v1/contracts/results?limit=100`;
  const whole = `/api/v1/contracts/${CONTRACT}/results/${LAST}`;
  await until('the calls are imported', async () => (await fetch(server.url + whole)).ok);
  const pages = (await (await fetch(list)).json()) as { results: unknown[]; links: { next: string | null } };
  expect(pages.results.length).toBeLessThan(CALLS);
  expect(pages.links.next).not.toBeNull();
  const before = await probe.take();
  const { statuses } = await sendLoad({
    url: server.url,
    requests: [
      '/api/v1/contracts/results?limit=100',
      `/api/v1/contracts/${CONTRACT}/results?limit=100`,
      whole,
    ].map((path) => ({ method: 'GET', path })),
    connections: 4,
    seconds: attackMs(SHORT_SECONDS) / 1000,
    perSecond: null,
  });
  const during = await probe.take();
  printAttack('long rows of a ledger', server, { before, during });
  // The EVM's answers are not known: 206.
  expect(Object.keys(statuses).filter((status) => !['200', '206', '503'].includes(status))).toEqual([]);
  expect(server.end()).toBeNull();
  expectAnswered(during);
  expectLively(during);
  expectSmall(server);
});
