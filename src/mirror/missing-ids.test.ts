import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../test/kit/mirror/mirror-app.ts';
import { readFixture } from './ingest/fixture/read-fixture.ts';
import { fixtureUnit } from './ledger/fixture-unit.ts';

const LINES = [
  { kind: 'contract', contract_id: '0.0.3001', auto_renew_account: '0.0.0' },
  { kind: 'token', token_id: '0.0.4001', auto_renew_account: '0.0.0', treasury_account_id: '0.0.1001' },
  { kind: 'topic', topic_id: '0.0.5001', auto_renew_account: '0.0.0' },
].map((line) => JSON.stringify({ created_timestamp: '1700000001.000000000', ...line }));

let mirror: MirrorApp;
beforeAll(async () => {
  mirror = await buildMirrorApp();
  const rows = readFixture(Buffer.from(LINES.join('\n')), 'lines.ndjson', { shard: 0n, realm: 0n });
  await mirror.area.ledger.commitUnit(fixtureUnit('lines', rows));
});
afterAll(() => mirror.close());

test.each(['contracts/0.0.3001', 'tokens/0.0.4001', 'topics/0.0.5001'])(
  '%s: 0.0.0 is nobody',
  async (path) => {
    const answer = await mirror.app.inject(`/api/v1/${path}`);
    expect(answer.json()).toMatchObject({ auto_renew_account: null });
  },
);
