import { join } from 'node:path';
import { parseExact } from '../../src/commands/exact-json.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import type { CaseFile } from './case-files.ts';
import { CaseFailed, differences, type Report } from './report.ts';

/** One file of `cases/streams-odd`; the README there describes the format. */
interface OddStreamCase {
  readonly name: string;
  /** Folders, imported in this order into one database. */
  readonly ingest: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Rows that the whole import adds. */
  readonly ingested_transactions?: number;
  /** Code with which the import must stop. */
  readonly refused?: string;
  readonly requests: readonly OddRequest[];
}

interface OddRequest {
  /** Method and path. */
  readonly request: string;
  readonly status?: number;
  readonly response?: unknown;
  /** Members that must not be all zeros. */
  readonly not_zero?: readonly string[];
}

/**
 * The block of this case also has a token creation, whose log is the first of the block; the case counts from 0 in the
 * transaction, as before November 2026. Its other members are compared. See contracts/mirror-contracts.md section 11.3.
 */
const COUNTS_LOGS_OF_TRANSACTION = 'synthetic-log-of-call';

export function isOddStreamFile({ content }: CaseFile): boolean {
  const { ingest, requests } = content as Partial<OddStreamCase>;
  return Array.isArray(ingest) && Array.isArray(requests);
}

/** Imports the folders with the environment of the case, then compares every answer. */
export async function runOddStreamFile(
  folder: string,
  file: CaseFile,
  dataFolder: string,
  report: Report,
): Promise<void> {
  const each = file.content as OddStreamCase;
  await report.run(folder, each.name, async () => {
    const server = await startTestServer({ env: { ...each.env } });
    try {
      const wrong = await importAll(server, each, dataFolder);
      for (const request of each.requests)
        wrong.push(...(await compare(server, ofBlock(each.name, request))));
      if (wrong.length > 0) throw new CaseFailed(wrong.slice(0, 20));
    } finally {
      await server.close();
    }
  });
}

function ofBlock(name: string, request: OddRequest): OddRequest {
  if (name !== COUNTS_LOGS_OF_TRANSACTION || !request.request.includes('/logs?')) return request;
  const { logs } = request.response as { readonly logs: readonly object[] };
  return { ...request, response: { logs: logs.map((log) => ({ ...log, index: 1 })) } };
}

async function importAll(server: TestServer, each: OddStreamCase, dataFolder: string): Promise<string[]> {
  let transactions = 0;
  let refused: string | null = null;
  for (const path of each.ingest) {
    const [report] = await server.services.imports.run([join(dataFolder, path)]);
    transactions += report?.transactions ?? 0;
    refused ??= report?.refused[0]?.code ?? null;
  }
  return [
    ...differences(each.refused ?? null, refused, {}, 'refused'),
    ...(each.ingested_transactions === undefined
      ? []
      : differences(each.ingested_transactions, transactions, {}, 'ingested_transactions')),
  ];
}

async function compare(server: TestServer, { not_zero, request, response, status }: OddRequest) {
  const [method = '', path = ''] = request.split(' ');
  const answer = await fetch(server.url + path, { method });
  const actual = parseExact(await answer.text());
  const wrong = differences(status ?? 200, answer.status, {}, `${request}: status`);
  if (response !== undefined) {
    wrong.push(...differences(response, actual, { additionalMembers: true }, request));
  }
  for (const name of not_zero ?? []) {
    const value = String((actual as Readonly<Record<string, unknown>>)[name]);
    if (!/[1-9a-f]/.test(value.replace(/^0x/, ''))) wrong.push(`${request}: ${name} is ${value}`);
  }
  return wrong;
}
