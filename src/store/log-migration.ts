import type { OpenOptions } from './store.ts';

/** Logs a migration that was applied. */
export function logMigration(log: Pick<OpenOptions['log'], 'info'>): (name: string) => void {
  return (name) => log.info({ migration: name }, `database migrated: ${name}`);
}
