import { statSync } from 'node:fs';
import { readConfig } from '../config.ts';
import { backendOf } from '../store/open-store.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { Invocation } from './command.ts';

/** `ledgerlens backup FILE`: the database as it is at one moment, in a file of its own. */
export async function execute({ positionals, env }: Invocation): Promise<number> {
  // The command line has exactly one.
  const [file = ''] = positionals;
  const { database } = readConfig(env);
  const missing = backendOf(database).missing(database);
  if (missing !== null) throw new LedgerlensError('usage', `There is no database yet: ${missing}`);
  await backendOf(database).backUp(database, file);
  console.log(`${file}: ${statSync(file).size} bytes`);
  return 0;
}
