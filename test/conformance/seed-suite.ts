import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parseExact } from '../../src/commands/exact-json.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { type CaseFile, schemaFolderOf } from './case-files.ts';
import { CaseFailed, differences, type Report } from './report.ts';
import { storeSeedFixture } from './seed-fixtures.ts';

interface SeedCase {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string | readonly string[]>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly bodyJson?: unknown;
    readonly bodyHex?: string;
  };
  readonly needs?: string;
  readonly expect: {
    readonly status: number | readonly number[];
    readonly schema?: string;
    readonly errorShape?: 'A' | 'B' | 'C';
    readonly timestamps?: readonly string[];
    readonly next?: null | 'link';
    readonly members?: Readonly<Record<string, string>>;
  };
  readonly save?: Readonly<Record<string, string>>;
}

/** Whether the file holds cases of the interface specification. */
export function isSeedFile(file: CaseFile): boolean {
  const [first] = Array.isArray(file.content) ? (file.content as SeedCase[]) : [];
  return first !== undefined && 'request' in first && 'expect' in first;
}

/**
 * Replays one file of `cases/seed`: the specification from outside, in the default dialect.
 *
 * Cases run in order and share saved values; each distinct fixture gets a server and a database of its own.
 */
export async function runSeedFile(folder: string, file: CaseFile, report: Report): Promise<void> {
  const schemas = readSchemas(schemaFolderOf(file));
  const servers = new Map<string, TestServer>();
  const saved = new Map<string, string>();
  try {
    for (const each of file.content as readonly SeedCase[]) {
      await report.run(folder, `${file.name} ${each.name}`, async () => {
        const server = await serverFor(each.needs ?? '', servers);
        const answer = await send(server.url, each.request, saved);
        const wrong = judge(each, answer, schemas, saved);
        if (wrong.length > 0)
          throw new CaseFailed([...wrong, `answer: ${answer.status} ${answer.text.slice(0, 500)}`]);
        for (const [name, path] of Object.entries(each.save ?? {}))
          saved.set(name, String(memberAt(answer.body, path)));
      });
    }
  } finally {
    for (const server of servers.values()) await server.close();
  }
}

async function serverFor(needs: string, servers: Map<string, TestServer>): Promise<TestServer> {
  const running = servers.get(needs);
  if (running !== undefined) return running;
  const server = await startTestServer({ stubChain: '31337', env: { STATUS_BUILTIN_COMPONENTS: 'off' } });
  servers.set(needs, server);
  if (needs !== '') await storeSeedFixture(needs, server);
  return server;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

async function send(
  baseUrl: string,
  request: SeedCase['request'],
  saved: ReadonlyMap<string, string>,
): Promise<Answer> {
  const path = withSaved(request.path, saved);
  const query = Object.entries(request.query ?? {}).flatMap(([name, value]) =>
    [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each as string)}`),
  );
  const separator = path.includes('?') ? '&' : '?';
  const hasType = Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'content-type');
  const body =
    request.bodyHex !== undefined
      ? Buffer.from(request.bodyHex, 'hex')
      : request.bodyJson !== undefined
        ? Buffer.from(JSON.stringify(request.bodyJson))
        : null;
  const headers = {
    ...(request.bodyJson !== undefined && !hasType ? { 'content-type': 'application/json' } : {}),
    ...request.headers,
  };
  const response = await fetch(`${baseUrl}${path}${query.length > 0 ? separator + query.join('&') : ''}`, {
    method: request.method,
    headers,
    ...(body === null ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, text, body: tryParse(text) };
}

function tryParse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

function withSaved(text: string, saved: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => saved.get(name) ?? `{{${name}}}`);
}

function judge(
  each: SeedCase,
  answer: Answer,
  schemas: Ajv2020,
  saved: ReadonlyMap<string, string>,
): string[] {
  const { expect } = each;
  const wrong: string[] = [];
  const statuses = [expect.status].flat();
  if (!statuses.includes(answer.status))
    wrong.push(`status: expected ${statuses.join(' or ')}, got ${answer.status}`);
  if (expect.schema !== undefined) wrong.push(...schemaErrors(schemas, expect.schema, answer.text));
  if (expect.errorShape !== undefined) {
    wrong.push(...schemaErrors(schemas, `error-${expect.errorShape.toLowerCase()}.json`, answer.text));
  }
  if (expect.timestamps !== undefined) {
    const { transactions } = answer.body as { transactions?: { consensus_timestamp: string }[] };
    const listed = transactions?.map(({ consensus_timestamp }) => consensus_timestamp);
    wrong.push(...differences(expect.timestamps, listed, {}, 'timestamps'));
  }
  if (expect.next !== undefined) {
    const next = memberAt(answer.body, 'links.next');
    const isRight =
      expect.next === null ? next === null : typeof next === 'string' && next.startsWith('/api/v1/');
    if (!isRight) wrong.push(`links.next: expected ${expect.next}, got ${String(next)}`);
  }
  for (const [path, value] of Object.entries(expect.members ?? {})) {
    wrong.push(...differences(withSaved(value, saved), memberAt(answer.body, path), {}, path));
  }
  return wrong;
}

function memberAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], body);
}

function readSchemas(folder: string): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  for (const name of readdirSync(folder)) ajv.addSchema(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return ajv;
}

/** JSON Schema knows no bigint, so the text is read once more as plain numbers; shapes are all it checks. */
function schemaErrors(ajv: Ajv2020, schema: string, text: string): string[] {
  const validate = ajv.getSchema(schema);
  if (validate === undefined) return [`the case names the unknown schema ${schema}`];
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [`${schema}: the body is not JSON`];
  }
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${schema}: ${instancePath || '/'} ${message}`,
  );
}
