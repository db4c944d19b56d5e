import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writtenStream } from '../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { writtenBlockSource } from '../../../test/kit/mirror/ingest/written-blocks.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import type { BlockOptions } from '../../../tools/network/write-blocks.ts';
import { toHex } from '../../values/hex.ts';
import { createImporter } from '../ingest/run/importer.ts';
import { createDirectorySource } from '../ingest/source/directory-source.ts';

interface ShownResult {
  readonly failed_initcode: string | null;
  readonly function_parameters: string;
  readonly gas_consumed: number | null;
  readonly gas_limit: number;
  readonly gas_used: number;
  readonly hash: string;
  readonly timestamp: string;
}
interface ShownChange {
  readonly contract_id: string;
  readonly slot: string;
  readonly value_written: string | null;
}
interface ShownSlot {
  readonly slot: string;
  readonly timestamp: string;
  readonly value: string;
}

const CONTRACT = '0.0.2004';
const CODE = Uint8Array.of(0x60, 0x80, 0xfd);
const options: BlockOptions = {
  ...{ files: 6, transactionsPerFile: 60, nodes: 1, keyBits: 1024, traces: true },
  contracts: [{ by: 'file', creationCode: CODE, runtimeCode: CODE, fails: true }],
};
let mirror: MirrorApp;

beforeEach(async () => {
  mirror = await buildMirrorApp();
});
afterEach(() => mirror.close());

async function ask<Answer>(path: string): Promise<Answer> {
  const answer = await mirror.app.inject(`/api/v1/contracts/${path}`);
  expect(answer.statusCode).toBe(200);
  return answer.json<Answer>();
}

describe.each(['record files', 'native blocks'])('what a ledger of %s tells of runs', (form) => {
  beforeEach(async () => {
    const source =
      form === 'native blocks'
        ? writtenBlockSource({ ...options, nativeFrom: 0 })
        : createDirectorySource('/stream', (await writtenStream(options)).tree);
    const { ledger: repository, lookup } = mirror.store;
    const report = await createImporter({ repository, lookup, source }).run();
    expect(report).toMatchObject({ units: 6, refused: [] });
  });

  test('is answered: traces, storage now and then, gas consumed, the code of a creation that failed', async () => {
    const { results } = await ask<{ readonly results: readonly ShownResult[] }>(
      'results?limit=100&order=asc',
    );
    const failed = results.filter(({ failed_initcode: code }) => code !== null);
    expect(failed.map((each) => each.failed_initcode)).toEqual([toHex(CODE)]);

    const traced = results.filter(({ gas_consumed: gas }) => gas !== null);
    expect(traced.length).toBeGreaterThan(5);
    const values = new Map<string, ShownSlot>();
    let [newest, before]: readonly [readonly ShownSlot[], readonly ShownSlot[]] = [[], []];
    for (const { gas_consumed, gas_limit: limit, gas_used: charged, hash, timestamp } of traced) {
      const consumed = Number(gas_consumed);
      const { actions } = await ask<{ readonly actions: readonly Readonly<Record<string, unknown>>[] }>(
        `results/${hash}/actions`,
      );
      expect(actions[0]).toMatchObject({
        ...{ call_depth: 0, call_operation_type: 'CALL', call_type: 'CALL', caller_type: 'ACCOUNT' },
        ...{ index: 0, recipient: CONTRACT, recipient_type: 'CONTRACT', timestamp },
      });
      const [given, used] = [Number(actions[0]?.['gas']), Number(actions[0]?.['gas_used'])];
      // Sending takes gas before the run, and at least four fifths of the limit are charged.
      expect(consumed - used).toBe(limit - given);
      expect(consumed - used).toBeGreaterThanOrEqual(21_000);
      expect(consumed).toBeLessThanOrEqual(charged);
      expect(charged).toBe(limit * 0.8);
      const { state_changes: changes } = await ask<{ readonly state_changes: readonly ShownChange[] }>(
        `results/${hash}`,
      );
      expect(changes.length).toBeGreaterThan(0);
      for (const { contract_id: id, slot, value_written: value } of changes) {
        expect(id).toBe(CONTRACT);
        if (value !== null) values.set(slot, { slot, timestamp, value });
      }
      [before, newest] = [newest, [...values.values()]];
    }
    const inOrder = (slots: readonly ShownSlot[]) =>
      [...slots].sort((left, right) => (left.slot < right.slot ? -1 : 1));
    const { state } = await ask<{ readonly state: readonly ShownSlot[] }>(`${CONTRACT}/state?limit=100`);
    expect(state.map(({ slot, timestamp, value }) => ({ slot, timestamp, value }))).toEqual(inOrder(newest));

    const [last] = traced.slice(-1);
    const { state: earlier } = await ask<{ readonly state: readonly ShownSlot[] }>(
      `${CONTRACT}/state?limit=100&timestamp=lt:${last?.timestamp}`,
    );
    const known = new Map(earlier.map(({ slot, value }) => [slot, value]));
    for (const { slot, value } of before) expect(known.get(slot)).toBe(value);
  });
});
