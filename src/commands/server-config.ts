import { type Config, readConfig } from '../config.ts';
import { isInMemory } from '../store/database-url.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { Invocation } from './command.ts';

/** The configuration of a command that works on the database of a server. @throws LedgerlensError `usage` */
export function readServerConfig(env: Invocation['env']): Config {
  const config = readConfig(env);
  if (!isInMemory(config.database)) return config;
  throw new LedgerlensError('usage', 'DATABASE_URL must be that of the server, and not in memory');
}
