import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../test/kit/mirror/mirror-app.ts';
import { networkState, thirtyTransactions } from '../../test/kit/mirror/seed-fixtures.ts';
import { sharedPath } from '../../test/shared-data.ts';
import { describeShared } from '../../test/support/shared-suites.ts';
import { fixtureUnit } from './ledger/fixture-unit.ts';

interface SeedCase {
  readonly name: string;
  readonly request: {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly query?: Readonly<Record<string, string | readonly string[]>>;
  };
  readonly needs?: 'thirty' | 'network';
  readonly expect: {
    readonly status: number | readonly number[];
    readonly schema?: string;
    readonly errorShape?: 'A' | 'B' | 'C';
    readonly timestamps?: readonly string[];
    readonly next?: 'link' | null;
    readonly members?: Readonly<Record<string, string>>;
  };
  readonly save?: Readonly<Record<string, string>>;
}

interface Listed {
  readonly transactions: readonly { readonly consensus_timestamp: string }[];
  readonly links: { readonly next: string | null };
}

const FILES = ['transactions-parameters', 'transactions-types', 'transactions-thirty', 'network'];

describeShared('cases of the specification, dialect spec', () => {
  const folder = sharedPath('cases', 'seed');
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const apps = new Map<string, MirrorApp>();

  beforeAll(async () => {
    for (const name of readdirSync(`${folder}/schemas`)) {
      ajv.addSchema(JSON.parse(readFileSync(`${folder}/schemas/${name}`, 'utf8')), name);
    }
    for (const [name, rows] of [
      ['empty', null],
      ['thirty', thirtyTransactions()],
      ['network', networkState()],
    ] as const) {
      const mirror = await buildMirrorApp();
      if (rows !== null) await mirror.area.ledger.commitUnit(fixtureUnit(name, rows));
      apps.set(name, mirror);
    }
  });

  afterAll(async () => {
    for (const mirror of apps.values()) await mirror.close();
  });

  test.each(FILES)('%s', async (file) => {
    const cases = JSON.parse(readFileSync(`${folder}/${file}.json`, 'utf8')) as readonly SeedCase[];
    const saved = new Map<string, string>();
    for (const kase of cases) {
      const faults = await runCase(kase, saved);
      expect.soft(faults, kase.name).toEqual([]);
    }
    console.info(`seed/${file}: ${cases.length} cases`);
  });

  async function runCase(kase: SeedCase, saved: Map<string, string>): Promise<readonly string[]> {
    const { app } = apps.get(kase.needs ?? 'empty')!;
    const query = Object.entries(kase.request.query ?? {}).flatMap(([name, values]) =>
      [values].flat().map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
    );
    const path = kase.request.path.replace(/\{\{(.+?)\}\}/g, (_, name: string) => saved.get(name) ?? '');
    const answer = await app.inject({
      method: kase.request.method,
      url: query.length === 0 ? path : `${path}?${query.join('&')}`,
    });
    const faults: string[] = [];
    if (![kase.expect.status].flat().includes(answer.statusCode)) {
      faults.push(`status ${answer.statusCode}: ${answer.body.slice(0, 300)}`);
      return faults;
    }
    const body: unknown = answer.json();
    const shape =
      kase.expect.errorShape === undefined ? [] : [`error-${kase.expect.errorShape.toLowerCase()}.json`];
    for (const schema of [...(kase.expect.schema === undefined ? [] : [kase.expect.schema]), ...shape]) {
      if (!ajv.validate(schema, body)) faults.push(`${schema}: ${ajv.errorsText()}`);
    }
    const { links, transactions } = body as Listed;
    if (kase.expect.timestamps !== undefined) {
      expect
        .soft(
          transactions.map((row) => row.consensus_timestamp),
          kase.name,
        )
        .toEqual(kase.expect.timestamps);
    }
    if (kase.expect.next === null) expect.soft(links.next, kase.name).toBeNull();
    if (kase.expect.next === 'link') expect.soft(links.next, kase.name).toMatch(/^\/api\/v1\//);
    for (const [path, text] of Object.entries(kase.expect.members ?? {})) {
      if (memberAt(body, path) !== text) faults.push(`${path} is ${String(memberAt(body, path))}`);
    }
    for (const [name, path] of Object.entries(kase.save ?? {})) saved.set(name, String(memberAt(body, path)));
    return faults;
  }
});

function memberAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((parent, member) => (parent as Record<string, unknown> | undefined)?.[member], body);
}
