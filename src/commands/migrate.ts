import { readConfig } from '../config.ts';
import { backendOf } from '../store/open-store.ts';
import type { Invocation } from './command.ts';
import { printFacts } from './print-facts.ts';

/** `ledgerlens migrate`: applies missing migrations and names them. */
export async function execute({ env, values }: Invocation): Promise<number> {
  const { database } = readConfig(env);
  const { from, to, pending } = await backendOf(database).migrate(database);
  printFacts(values, { from, to, migrations: pending }, () =>
    pending.length === 0
      ? `The database is at schema version ${from}; nothing to do.`
      : [`Schema version ${from} -> ${to}:`, ...pending.map((name) => `  ${name}`)].join('\n'),
  );
  return 0;
}
