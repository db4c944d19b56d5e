import { readFileSync } from 'node:fs';
import { stringify } from 'lossless-json';
import { expect, test } from 'vitest';
import { followedMirror } from '../../../../test/kit/mirror/ingest/followed-mirror.ts';
import { buildMirrorApp, type MirrorApp } from '../../../../test/kit/mirror/mirror-app.ts';
import {
  caseOptions,
  caseRuns,
  caseTime,
  type MirrorRestCase,
  readMirrorRestCase,
} from '../../../../test/kit/mirror/mirror-rest-case.ts';
import { sharedPath } from '../../../../test/shared-data.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { parseTimestamp } from '../../../values/consensus-timestamp.ts';
import { createImporter } from '../run/importer.ts';

interface Recorded {
  readonly consensus_timestamp: string;
  readonly transaction_id: string;
}

const recorded = (folder: string, name: string): MirrorRestCase =>
  readMirrorRestCase(readFileSync(sharedPath('cases', 'mirror-rest', folder, `${name}.json`), 'utf8'));
const answerTo = ({ tests }: MirrorRestCase, url: string): unknown =>
  tests?.find(({ json, urls }) => urls.includes(url) && json !== undefined)?.json ?? null;
const hashOf = (number: number) => `0x${number.toString(16).padStart(96, '0')}`;
const nanos = ({ consensus_timestamp: at }: Recorded) => parseTimestamp(at) ?? 0n;

/** What a public mirror answered, cut into blocks of some transactions: those of the recordings have none. */
function recordedMirror(list: MirrorRestCase, alone: MirrorRestCase, perBlock: number) {
  const { transactions } = answerTo(list, '/api/v1/transactions?limit=100') as { transactions: Recorded[] };
  const ascending = [...transactions].reverse();
  const blocks = Array.from({ length: Math.ceil(ascending.length / perBlock) }, (_, index) => {
    const part = ascending.slice(index * perBlock, (index + 1) * perBlock);
    return {
      count: part.length,
      gas_limit: 0,
      gas_used: 0,
      hapi_version: '0.60.0',
      hash: hashOf(index + 8),
      logs_bloom: '0x',
      name: `${index}.rcd.gz`,
      number: index + 7,
      previous_hash: hashOf(index + 7),
      size: 1,
      timestamp: { from: part.at(0)?.consensus_timestamp, to: part.at(-1)?.consensus_timestamp },
    };
  });
  const nodes = answerTo(recorded('network-nodes', 'no-params'), '/api/v1/network/nodes') as {
    nodes: readonly { readonly staking_period: unknown }[];
  };
  const stake = answerTo(recorded('network-stake', 'no-params'), '/api/v1/network/stake') as object;
  const network: Readonly<Record<string, unknown>> = {
    '/api/v1/network/nodes': nodes,
    // The two were recorded over different rows.
    '/api/v1/network/stake': { ...stake, staking_period: nodes.nodes[0]?.staking_period },
    '/api/v1/network/exchangerate': answerTo(
      recorded('network-exchangerate', 'no-params'),
      '/api/v1/network/exchangerate',
    ),
  };
  const within = <Row>(rows: readonly Row[], timeOf: (row: Row) => bigint, query: URLSearchParams) =>
    rows.filter((row) =>
      query.getAll('timestamp').every((condition) => {
        const [operator = '', text = ''] = condition.split(':');
        const bound = parseTimestamp(text) ?? 0n;
        const at = timeOf(row);
        return { gt: at > bound, gte: at >= bound, lte: at <= bound }[operator] ?? false;
      }),
    );
  return (path: string): unknown => {
    const { pathname, searchParams } = new URL(path, 'http://recorded.test');
    if (pathname === '/api/v1/transactions') {
      return { transactions: within(ascending, nanos, searchParams), links: { next: null } };
    }
    if (pathname === '/api/v1/blocks') {
      const found = within(blocks, ({ timestamp }) => parseTimestamp(timestamp.to ?? '') ?? 0n, searchParams);
      return { blocks: found, links: { next: null } };
    }
    if (pathname.startsWith('/api/v1/transactions/')) {
      const same = ascending.filter(({ transaction_id: id }) => pathname.endsWith(`/${id}`));
      return answerTo(alone, pathname) ?? { transactions: same };
    }
    return network[pathname] ?? null;
  };
}

describeShared('a public mirror as it was recorded', () => {
  test.each([1, 10, 100])('followed in blocks of %d, its answers are given again', async (perBlock) => {
    const [list, alone, walks] = ['mixed-a-list', 'mixed-a-by-id', 'mixed-a-walks'].map((name) =>
      recorded('recorded', name),
    );
    if (list === undefined || alone === undefined || walks === undefined) throw new Error('no recordings');
    const answer = recordedMirror(list, alone, perBlock);
    const followed = followedMirror(async (path) => {
      const found = answer(path);
      return { statusCode: found === null ? 404 : 200, body: stringify(found) ?? '' };
    });
    const follower = await buildMirrorApp(caseOptions(list, false));
    try {
      follower.clock.set(caseTime(list) ?? 0);
      const { area, store } = follower;
      const importer = createImporter({
        repository: area.ledger,
        lookup: store.lookup,
        source: followed.source,
      });
      expect(await importer.run()).toMatchObject({ transactions: 69, refused: [] });
      for (const kase of [list, alone, walks]) {
        for (const run of caseRuns(kase)) {
          if (run.bindsTimestampRange) continue;
          expect.soft(await run.check((url) => get(follower, url)), run.title).toEqual([]);
        }
      }
      for (const name of ['network-nodes', 'network-exchangerate']) {
        const [run] = caseRuns(recorded(name, 'no-params'));
        expect(await run?.check((url) => get(follower, url)), name).toEqual([]);
      }
      expect(followed.source.standing?.().notes).toEqual([]);
    } finally {
      await follower.close();
    }
  });
});

async function get({ app }: MirrorApp, url: string) {
  const { body, headers, statusCode } = await app.inject({ url });
  return { status: statusCode, headers, body };
}
