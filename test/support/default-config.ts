import { readConfig } from '../../src/config.ts';

/** What a server does that nobody configured, with a database in memory. */
export const DEFAULT_CONFIG = readConfig({ DATABASE_URL: 'sqlite::memory:' });
