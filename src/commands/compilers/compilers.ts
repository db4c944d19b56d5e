import { readConfig } from '../../config.ts';
import { createServices, systemDependencies } from '../../services.ts';
import { IN_MEMORY } from '../../store/database-url.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { VerifyArea } from '../../verify/index.ts';
import type { Invocation } from '../invocation.ts';
import { createLogger } from '../logger.ts';
import { addCompilers } from './compilers-add.ts';
import { checkCompilers } from './compilers-check.ts';
import { fetchCompilers } from './compilers-fetch.ts';
import { listCompilers } from './compilers-list.ts';

/** One action of `ledgerlens compilers`; gets the words after its name and returns the exit code. */
export type CompilersAction = (
  area: VerifyArea,
  words: readonly string[],
  values: Invocation['values'],
) => Promise<number>;

const ACTIONS: Readonly<Record<string, CompilersAction>> = {
  list: listCompilers,
  fetch: fetchCompilers,
  add: addCompilers,
  check: checkCompilers,
};

/** `ledgerlens compilers ACTION`: the compilers that verifications can use. */
export async function execute({ positionals, values, env }: Invocation): Promise<number> {
  const [name = 'list', ...words] = positionals;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    const known = Object.keys(ACTIONS).join(', ');
    throw new LedgerlensError('usage', `Unknown action "${name}" of compilers; the actions are: ${known}`);
  }
  const config = readConfig(env);
  const services = await createServices(
    { ...config, database: IN_MEMORY },
    systemDependencies(createLogger(config.logLevel, config.logFormat)),
  );
  try {
    return await action(services.verify, words, values);
  } finally {
    await services.close();
  }
}
