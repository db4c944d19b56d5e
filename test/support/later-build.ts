import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './serve-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const migrationsOf = (engine: Engine) => `migrations/${engine}`;
type Engine = 'postgres' | 'sqlite';
/** What a build of its own must not share. */
const OWN = ['dist', 'migrations', 'src', 'test', 'tools'];

/** The number of the newest migration of this build. */
export const newestMigration = (engine: Engine = 'postgres'): number =>
  readdirSync(join(ROOT, migrationsOf(engine))).length;

/**
 * Puts a build into a folder that differs from this one in having later migrations.
 *
 * @param migrations the texts of those that follow the newest one of this build
 * @returns its executable.
 */
export function putLaterBuild(
  folder: string,
  migrations: readonly string[],
  engine: Engine = 'postgres',
): string {
  ensureBuilt();
  mkdirSync(folder);
  for (const name of readdirSync(ROOT)) {
    if (!OWN.includes(name) && !name.startsWith('.')) symlinkSync(join(ROOT, name), join(folder, name));
  }
  cpSync(join(ROOT, 'migrations'), join(folder, 'migrations'), { recursive: true });
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  });
  for (const [index, text] of migrations.entries()) {
    const number = String(newestMigration(engine) + index + 1).padStart(4, '0');
    writeFileSync(join(folder, migrationsOf(engine), `${number}-later.sql`), text);
  }
  return join(folder, 'dist/main.js');
}
