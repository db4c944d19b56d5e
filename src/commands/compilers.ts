import { readConfig } from '../config.ts';
import { createServices, systemDependencies } from '../services.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { Invocation } from './command-table.ts';
import { createLogger } from './logger.ts';
import { renderTable } from './table.ts';

/** `ledgerlens compilers list`: what verifications can compile with, newest first. */
export async function execute({ positionals, env }: Invocation): Promise<number> {
  const [action = 'list', ...rest] = positionals;
  if (action !== 'list' || rest.length > 0) {
    throw new LedgerlensError(
      'usage',
      `Unknown action "${positionals.join(' ')}"; the only one is: compilers list`,
    );
  }
  const config = readConfig(env);
  const services = await createServices(
    { ...config, databaseUrl: 'sqlite::memory:' },
    systemDependencies(createLogger(config.logLevel)),
  );
  try {
    const { compilers, problems } = await services.verify.compilers.list();
    const listed = [...compilers].sort((left, right) =>
      right.version.localeCompare(left.version, 'en', { numeric: true }),
    );
    const rows = listed.map(({ language, version, kind, source }) => [language, version, kind, source]);
    console.log(renderTable([['compiler', 'version', 'kind', 'source'], ...rows]));
    for (const problem of problems) console.error(problem);
    return 0;
  } finally {
    await services.close();
  }
}
