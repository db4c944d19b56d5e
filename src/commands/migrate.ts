import { readConfig } from '../config.ts';
import { migrateStore } from '../store/open-store.ts';
import type { Invocation } from './invocation.ts';

/** `ledgerlens migrate`: applies missing migrations and names them. */
export async function execute({ env }: Invocation): Promise<number> {
  const { from, to, pending } = await migrateStore(readConfig(env).database);
  if (pending.length === 0) console.log(`The database is at schema version ${from}; nothing to do.`);
  else console.log([`Schema version ${from} -> ${to}:`, ...pending.map((name) => `  ${name}`)].join('\n'));
  return 0;
}
