import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyConditions, meets } from '../../../test/kit/mirror/conditions.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import * as fc from '../../../test/support/properties.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { readFixture } from '../ingest/fixture/read-fixture.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

const START = 1_700_000_000_000_000_000n;
/** Number and creator of each schedule. */
const STORED: readonly (readonly [schedule: bigint, creator: bigint])[] = Array.from(
  { length: 12 },
  (_, index) => [BigInt(100 + 2 * index), BigInt(5 + (index % 3))],
);
const [BARE, SIGNED] = [entityId(300n), entityId(301n)];
const ADDRESS = 'ab'.repeat(20);

const unit = fixtureUnit('schedules', {
  schedules: [...STORED, [BARE, 9n] as const, [SIGNED, 9n] as const].map(([schedule, creator], index) => ({
    schedule: entityId(schedule),
    consensusTimestamp: consensusTimestamp(START + BigInt(index)),
    creator: entityId(creator),
    payer: entityId(4n),
    expirationTime: schedule === SIGNED ? consensusTimestamp(START) : null,
    waitsForExpiry: schedule === SIGNED,
    body: Buffer.of(1, 2),
    executedTimestamp: null,
  })),
  scheduleSignatures: [3, 6, 99].map((type, index) => ({
    schedule: SIGNED,
    consensusTimestamp: consensusTimestamp(START + BigInt(index >> 1)),
    prefix: Buffer.of(index),
    signature: Buffer.of(7),
    type,
  })),
  entities: [
    {
      entity: SIGNED,
      type: 'SCHEDULE',
      alias: null,
      evmAddress: null,
      createdTimestamp: consensusTimestamp(START),
    },
    {
      entity: entityId(6n),
      type: 'ACCOUNT',
      alias: null,
      evmAddress: Buffer.from(ADDRESS, 'hex'),
      createdTimestamp: consensusTimestamp(START),
    },
  ],
  entityChanges: [
    { entity: SIGNED, type: 'SCHEDULE', memo: 'm', key: Buffer.from(`1220${'07'.repeat(32)}`, 'hex') },
  ],
});

let spec: MirrorApp;
let hiero: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  await spec.area.ledger.commitUnit(unit);
  await hiero.area.ledger.commitUnit(unit);
});
afterAll(async () => {
  await spec.close();
  await hiero.close();
});

interface Page {
  readonly schedules: readonly { readonly schedule_id: string }[];
  readonly links: { readonly next: string | null };
}
const get = (path: string, mirror = spec) =>
  mirror.app.inject(path.startsWith('/') ? path : `/api/v1/${path}`);
const idsOf = async (path: string, mirror = spec) => {
  const answer = await get(path, mirror);
  expect(answer.statusCode, answer.body).toBe(200);
  return (answer.json() as Page).schedules.map((each) => each.schedule_id);
};

/** All schedules that following `next` shows. */
async function walk(path: string, mirror: MirrorApp): Promise<readonly string[]> {
  const seen: string[] = [];
  let next: string | null = path;
  for (let pages = 0; next !== null; pages++) {
    expect(pages).toBeLessThan(30);
    const page: Page = (await get(next, mirror)).json();
    seen.push(...page.schedules.map((each) => each.schedule_id));
    next = page.links.next;
  }
  return seen;
}

describe('GET /api/v1/schedules', () => {
  test('following the links shows what a naive scan selects, in order, once', async () => {
    const conditions = (min: bigint, max: bigint) => anyConditions(fc.bigInt({ min, max }), 2);
    await fc.assert(
      fc.asyncProperty(
        conditions(98n, 126n),
        conditions(4n, 8n),
        fc.constantFrom('asc', 'desc'),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        async (ids, creators, order, limit, isHiero) => {
          const query = [
            ...ids.map((each) => `schedule.id=${each.operator}:${each.value}`),
            ...creators.map((each) => `account.id=${each.operator}:0.0.${each.value}`),
            'account.id=lt:9',
            `order=${order}`,
            `limit=${limit}`,
          ];
          const selected = STORED.filter(
            ([schedule, creator]) =>
              ids.every((each) => meets(schedule, each)) && creators.every((each) => meets(creator, each)),
          ).map(([schedule]) => `0.0.${schedule}`);
          expect(await walk(`/api/v1/schedules?${query.join('&')}`, isHiero ? hiero : spec)).toEqual(
            order === 'asc' ? selected : selected.reverse(),
          );
        },
      ),
    );
  });

  test('an address is that of its account, and one that nobody has is nobody', async () => {
    expect(await idsOf(`schedules?account.id=0x${ADDRESS}&limit=2`)).toEqual(['0.0.102', '0.0.108']);
    for (const nobody of ['', 'gt:', 'gte:']) {
      expect(await idsOf(`schedules?account.id=${nobody}0x${'cd'.repeat(20)}`)).toEqual([]);
    }
    expect(await idsOf(`schedules?account.id=ne:0x${'cd'.repeat(20)}&limit=1`)).toEqual(['0.0.100']);
  });

  test('a list may be kept for ten seconds', async () => {
    expect((await get('schedules')).headers['cache-control']).toBe('public, max-age=10');
  });

  test.each([
    ['schedules?schedule.id=x', 'Invalid parameter: schedule.id'],
    ['schedules?schedule.id=274877906944', 'Invalid parameter: schedule.id'],
    [`schedules?schedule.id=0x${ADDRESS}`, 'Invalid parameter: schedule.id'],
    ['schedules?account.id=-', 'Invalid parameter: account.id'],
    ['schedules/x?limit=1', 'Unknown query parameter: limit'],
    [`schedules/0x${ADDRESS}`, 'Invalid parameter: scheduleid'],
  ])('%s is 400', async (path, message) => {
    const answer = await get(path);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ _status: { messages: [{ message }] } });
  });
});

describe('GET /api/v1/schedules/{scheduleId}', () => {
  test('shows its signatures, also of kinds that nobody knows', async () => {
    const answer = await get('schedules/0.301');
    expect(answer.json()).toEqual({
      admin_key: { _type: 'ED25519', key: '07'.repeat(32) },
      consensus_timestamp: '1700000000.000000013',
      creator_account_id: '0.0.9',
      deleted: false,
      executed_timestamp: null,
      expiration_time: '1700000000.000000000',
      memo: 'm',
      payer_account_id: '0.0.4',
      schedule_id: '0.0.301',
      signatures: [
        {
          consensus_timestamp: '1700000000.000000000',
          public_key_prefix: 'AA==',
          signature: 'Bw==',
          type: 'ED25519',
        },
        {
          consensus_timestamp: '1700000000.000000000',
          public_key_prefix: 'AQ==',
          signature: 'Bw==',
          type: 'ECDSA_SECP256K1',
        },
        {
          consensus_timestamp: '1700000000.000000001',
          public_key_prefix: 'Ag==',
          signature: 'Bw==',
          type: 'UNKNOWN',
        },
      ],
      transaction_body: 'AQI=',
      wait_for_expiry: true,
    });
  });

  test('is kept by caches as soon as nothing will happen to it any more', async () => {
    const seconds = async (path: string) => (await get(path)).headers['cache-control'];
    const created = Number(START / 1_000_000n);
    spec.clock.set(created + 59_000);
    expect(await seconds('schedules/301')).toBe('public, max-age=1');
    spec.clock.set(created + 60_000);
    expect(await seconds('schedules/301')).toBe('public, max-age=3600');
    expect(await seconds('schedules/300')).toBe('public, max-age=1');
    spec.clock.set(created + 1_861_000);
    expect(await seconds('schedules/300')).toBe('public, max-age=3600');
  });

  test('is 404 without a row, and null where nothing is known of the entity', async () => {
    expect((await get('schedules/5')).statusCode).toBe(404);
    expect((await get('schedules/300')).json()).toMatchObject({ admin_key: null, deleted: null, memo: null });
  });
});

test('a line of each answer gives that answer back', async () => {
  const shown = ((await get('schedules?schedule.id=gte:300')).json() as Page).schedules;
  expect(shown).toHaveLength(2);
  const lines = shown.map((each) => JSON.stringify({ kind: 'schedule', ...each })).join('\n');
  const copy = await buildMirrorApp();
  const rows = readFixture(Buffer.from(lines), 'lines.ndjson', { shard: 0n, realm: 0n });
  await copy.area.ledger.commitUnit(fixtureUnit('lines', rows));
  expect(((await get('schedules', copy)).json() as Page).schedules).toEqual(shown);
  await copy.close();
});
