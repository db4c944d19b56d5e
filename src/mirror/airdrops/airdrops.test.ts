import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { readFixture } from '../ingest/fixture/read-fixture.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

const HOME = { shard: 0n, realm: 0n };
const ADDRESS = 'ac384c53f03855fa1b3616052f8ba32c6c2a2fff';

interface Airdrop {
  readonly amount: number | null;
  readonly receiver_id: string;
  readonly sender_id: string;
  readonly serial_number: number | null;
  readonly timestamp: { readonly from: string; readonly to: null };
  readonly token_id: string;
}

function anAirdrop(sender: number, receiver: number, token: number, serial: number | null): Airdrop {
  return {
    amount: serial === null ? token * 10 : null,
    receiver_id: `0.0.${receiver}`,
    sender_id: `0.0.${sender}`,
    serial_number: serial,
    timestamp: { from: `1700000000.0000${sender}${receiver}`, to: null },
    token_id: `0.0.${token}`,
  };
}

/** From two senders; token 5 is fungible, token 10 is not. */
const AIRDROPS = [
  anAirdrop(1000, 2, 5, null),
  anAirdrop(1000, 2, 10, 10),
  anAirdrop(1000, 2, 10, 11),
  anAirdrop(1000, 3, 5, null),
  anAirdrop(1000, 3, 10, 12),
  anAirdrop(1001, 2, 5, null),
];
const ENDED = { ...anAirdrop(1000, 4, 5, null), timestamp: { from: '1.000000000', to: '2.000000000' } };

describe.each(['hiero', 'spec'] as const)('airdrops in the dialect %s', (dialect) => {
  let mirror: MirrorApp;
  beforeAll(async () => {
    mirror = await buildMirrorApp({ dialect });
    const lines = [
      ...[...AIRDROPS, ENDED].map((each) => ({ kind: 'airdrop', ...each })),
      { kind: 'account', account: '0.0.1000', evm_address: `0x${ADDRESS}` },
    ].map((line) => JSON.stringify(line));
    const rows = readFixture(Buffer.from(lines.join('\n')), 'airdrops.ndjson', HOME);
    expect(await mirror.area.ledger.commitUnit(fixtureUnit('airdrops', rows))).toBe('stored');
  });
  afterAll(() => mirror.close());

  const ask = async (path: string) => {
    const answer = await mirror.app.inject(`/api/v1/accounts/${path}`);
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };
  const messagesOf = async (path: string) => {
    const { body, status } = await ask(path);
    return [status, ...body._status.messages.map(({ message }: { message: string }) => message)];
  };

  test('that lines of a fixture state are answered as they were written', async () => {
    const { body, headers } = await ask('0.0.1000/airdrops/outstanding');
    expect(body).toEqual({ airdrops: AIRDROPS.slice(0, 5), links: { next: null } });
    expect(headers['cache-control']).toBe('public, max-age=1');
    expect(headers['etag']).toMatch(/^W\//);
    expect((await ask('2/airdrops/pending?sender.id=gt:1000')).body.airdrops).toEqual([AIRDROPS[5]]);
  });

  test('an account is found by its address, also in filters', async () => {
    expect((await ask(`0x${ADDRESS}/airdrops/outstanding?receiver.id=3`)).body.airdrops).toHaveLength(2);
    expect((await ask(`2/airdrops/pending?sender.id=0x${ADDRESS}`)).body.airdrops).toHaveLength(3);
    const stranger = 'ff'.repeat(20);
    expect((await ask(`2/airdrops/pending?sender.id=${stranger}`)).body.airdrops).toEqual([]);
    expect((await ask(`2/airdrops/pending?sender.id=lt:${stranger}`)).body.airdrops).toHaveLength(4);
  });

  test('pages of one follow each other through all of them', async () => {
    for (const order of ['asc', 'desc']) {
      const seen: Airdrop[] = [];
      let next: string | null = `/api/v1/accounts/1000/airdrops/outstanding?limit=1&order=${order}`;
      for (let pages = 0; next !== null && pages < 10; pages++) {
        const { body, status } = await ask(next.replace('/api/v1/accounts/', ''));
        expect(status).toBe(200);
        seen.push(...body.airdrops);
        next = body.links.next;
      }
      const wanted = AIRDROPS.slice(0, 5);
      expect(seen).toEqual(order === 'asc' ? wanted : wanted.toReversed());
      expect(next).toBeNull();
    }
  });

  test('one token of all receivers comes in their order', async () => {
    const { body } = await ask('1000/airdrops/outstanding?token.id=10&limit=2');
    expect(body.airdrops).toEqual([AIRDROPS[1], AIRDROPS[2]]);
    const next = '1000/airdrops/outstanding?token.id=10&limit=2&receiver.id=gte:0.0.2&serialnumber=gt:11';
    expect(body.links.next).toBe(`/api/v1/accounts/${next}`);
    expect((await ask(next)).body.airdrops).toEqual([AIRDROPS[4]]);
  });

  test.each([
    ['limit=101', 'limit must be less than or equal to 100'],
    ['limit=0', 'Invalid parameter: limit'],
    ['receiver.id=gt:5&receiver.id=lt:4', 'Invalid range provided for receiver.id'],
    ['token.id=ne:5', 'Unsupported range operator ne for token.id'],
    ['token.id=gt:1&token.id=gt:2', 'Only one gt/gte operator is allowed for token.id'],
    [`token.id=${ADDRESS}`, 'Invalid parameter: token.id'],
    ['serialnumber=-1', 'Invalid parameter: serialnumber'],
    ['serialnumber=9223372036854775808', 'Invalid parameter: serialnumber'],
    ['order=up', 'Invalid parameter: order'],
    ['sender.id=5', 'Unknown query parameter: sender.id'],
  ])('%s is refused', async (query, message) => {
    expect(await messagesOf(`1000/airdrops/outstanding?${query}`)).toEqual([400, message]);
  });

  test('bad values are told before unknown names, and the path before both', async () => {
    const query = 'sender.id=5&token.id=x&limit=y';
    expect(await messagesOf(`1000/airdrops/outstanding?${query}`)).toEqual([
      400,
      'Invalid parameter: token.id',
      'Invalid parameter: limit',
      'Unknown query parameter: sender.id',
    ]);
    expect(await messagesOf(`abc/airdrops/outstanding?${query}`)).toEqual([
      400,
      'Invalid parameter: idOrAliasOrEvmAddress',
    ]);
    expect(await messagesOf(`AABBCC22/airdrops/pending?${query}`)).toEqual([404, 'Not found']);
    const { body } = await ask(`${'ff'.repeat(20)}/airdrops/pending`);
    expect(body._status.messages).toEqual([
      { message: 'Not found', detail: 'No account found for the given ID' },
    ]);
  });
});
