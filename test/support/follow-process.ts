/**
 * Follows live sources into a database until a block is stored, printing each unit that it stores, for tests that
 * kill it.
 *
 * Run: node --import tsx follow-process.ts SOURCES-AS-JSON DATABASE-URL ADDRESS-BOOK LAST-BLOCK
 */
import { createImports } from '../../src/imports/ledger-tasks.ts';
import type { LiveSource } from '../../src/mirror/ingest/units/live-source.ts';
import { openStoreAt } from './test-store.ts';

const [sources = '[]', url = '', book = '', last = '0'] = process.argv.slice(2);
const store = await openStoreAt(url);
let told: string | null = null;
let end = (): void => {};
const isThere = new Promise<void>((resolve) => {
  end = resolve;
});
const log = { info: () => {}, warn: () => {}, error: (_: object, message: string) => console.error(message) };
const imports = createImports(
  store.mirror,
  store.mirror.ledger,
  { addressBookPath: book, options: { sharesCommits: false } },
  {
    log,
    onChange(states) {
      for (const { lastBlock, lastUnit, units } of states) {
        // What an earlier process stored is no sign of life of this one.
        if (units > 0 && lastUnit !== told) process.stdout.write(`${lastUnit}\n`);
        told = lastUnit;
        if (lastBlock === BigInt(last)) end();
      }
    },
  },
);
const live = JSON.parse(sources) as readonly LiveSource[];
imports.begin({ importPaths: [], watchPaths: [], live, watchPeriodMs: 50 });
await isThere;
await imports.close();
await store.close();
