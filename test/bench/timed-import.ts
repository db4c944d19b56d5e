import { createImporter } from '../../src/mirror/ingest/run/importer.ts';
import type { StreamSource } from '../../src/mirror/ingest/units/stream-source.ts';
import { createSqliteMirrorStore } from '../../src/mirror/mirror-store.sqlite.ts';
import type { MirrorStore } from '../../src/mirror/mirror-store.ts';
import { openDatabase } from '../../src/storage/open-database.ts';

export interface TimedImport {
  /** Database file. */
  readonly file: string;
  readonly source: (ledger: MirrorStore['ledger']) => StreamSource;
  /** What every unit must prove. */
  readonly level: string;
  /** Transactions from one look at the memory to the next. */
  readonly sampleEvery: number;
}

/** Imports with the importer's defaults and prints what it cost, for the benchmark that started this process. */
export async function printTimedImport({ file, level, sampleEvery, source }: TimedImport): Promise<void> {
  const database = openDatabase(file);
  const { ledger, lookup } = createSqliteMirrorStore(database);
  const memory: { transactions: number; mebibytes: number }[] = [];
  let due = sampleEvery;
  const importer = createImporter({
    repository: ledger,
    lookup,
    source: source(ledger),
    progress: ({ transactions }) => {
      if (transactions < due) return;
      due += sampleEvery;
      memory.push({ transactions, mebibytes: Math.round(process.memoryUsage.rss() / 2 ** 20) });
    },
  });
  const started = performance.now();
  const used = process.cpuUsage();
  const { transactions, refused, verification } = await importer.run();
  const milliseconds = performance.now() - started;
  const { system, user } = process.cpuUsage(used);
  database.close();
  if (refused.length > 0 || verification !== level) {
    throw new Error(JSON.stringify({ refused, verification }));
  }
  const cpuMilliseconds = (system + user) / 1000;
  process.stdout.write(JSON.stringify({ transactions, milliseconds, cpuMilliseconds, memory }));
}
