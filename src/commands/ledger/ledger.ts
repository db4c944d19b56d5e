import { type Config, readConfig } from '../../config.ts';
import { missingStore, openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { Invocation } from '../invocation.ts';
import { createLogger } from '../logger.ts';
import { acceptLedgerGap, listLedgerGaps } from './ledger-gaps.ts';
import { pruneLedgerDays } from './ledger-prune.ts';
import { rebuildLedgerRows } from './ledger-rebuild.ts';
import { reportLedgerSize } from './ledger-size.ts';
import { listLedgerUnits } from './ledger-units.ts';

/** What an action of `ledgerlens ledger` works on. */
export interface OpenLedger {
  readonly mirror: Store['mirror'];
  readonly config: Config;
}

/** One action; gets the words after its name and returns the exit code. */
export type LedgerAction = (
  ledger: OpenLedger,
  words: readonly string[],
  values: Invocation['values'],
) => Promise<number>;

const ACTIONS: Readonly<Record<string, LedgerAction>> = {
  units: listLedgerUnits,
  gaps: listLedgerGaps,
  'accept-gap': acceptLedgerGap,
  rebuild: rebuildLedgerRows,
  size: reportLedgerSize,
  prune: pruneLedgerDays,
};

/** `ledgerlens ledger ACTION`: the imported ledger. A server on the same database may continue. */
export async function execute({ positionals, values, env }: Invocation): Promise<number> {
  const [name = 'units', ...words] = positionals;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    const known = Object.keys(ACTIONS).join(', ');
    throw new LedgerlensError('usage', `Unknown action "${name}" of ledger; the actions are: ${known}`);
  }
  const config = readConfig(env);
  const missing = missingStore(config.database);
  if (missing !== null) throw new LedgerlensError('database_unusable', `There is no ledger yet: ${missing}`);
  const store = await openStore(config, { log: createLogger('silent') });
  try {
    return await action({ mirror: store.mirror, config }, words, values);
  } finally {
    await store.close();
  }
}
