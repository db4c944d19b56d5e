import { join } from 'node:path';
import { parseExact } from '../../src/commands/exact-json.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import type { CaseFile } from './case-files.ts';
import { CaseFailed, differences, type Report } from './report.ts';

/** One file of `cases/streams`; the README there describes the format. */
export interface StreamCase {
  readonly name: string;
  readonly ingest: readonly string[];
  readonly ingested_transactions: number;
  /** Method and path. */
  readonly request: string;
  readonly response: unknown;
  readonly compare: {
    readonly number_or_decimal_string?: readonly string[];
    readonly absent_equals_null?: readonly string[];
  };
}

export function isStreamFile(file: CaseFile): boolean {
  return Array.isArray((file.content as Partial<StreamCase>).ingest);
}

/** Imports real files with default verification and compares the list that is then served. */
export async function runStreamFile(
  folder: string,
  file: CaseFile,
  dataFolder: string,
  report: Report,
): Promise<void> {
  const each = file.content as StreamCase;
  await report.run(folder, each.name, async () => {
    const paths = each.ingest.map((text) => join(dataFolder, text.replace(/\s*\(.*\)$/, '')));
    const server = await startTestServer({ env: { MIRROR_DIALECT: 'hiero' } });
    try {
      let transactions = 0;
      for (const path of paths) transactions = await importOne(server, path);
      const wrong = differences(each.ingested_transactions, transactions, {}, 'ingested_transactions');
      const answer = await fetch(server.url + each.request.replace(/^GET /, ''));
      const actual = parseExact(await answer.text());
      const leniency = {
        numberOrText: new Set(each.compare.number_or_decimal_string),
        absentEqualsNull: new Set(each.compare.absent_equals_null),
        additionalMembers: true,
      };
      wrong.push(...differences(each.response, actual, leniency));
      if (wrong.length > 0) throw new CaseFailed(wrong.slice(0, 20));
    } finally {
      await server.close();
    }
  });
}

async function importOne(server: TestServer, path: string): Promise<number> {
  const [report] = await server.services.imports.run([path]);
  const [refused] = report?.refused ?? [];
  if (refused !== undefined)
    throw new CaseFailed([`${refused.name} was refused: ${refused.code}, ${refused.message}`]);
  return report?.transactions ?? 0;
}
