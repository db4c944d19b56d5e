import { randomBytes } from 'node:crypto';
import { readConfig } from '../../config.ts';
import { statusOptions } from '../../services.ts';
import { createStatusArea, createStatusToken, type StatusService } from '../../status/index.ts';
import { isInMemory } from '../../store/database-url.ts';
import { openStore } from '../../store/open-store.ts';
import { systemClock } from '../../values/clock.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { Invocation } from '../invocation.ts';
import { SILENT } from '../logger.ts';
import { createThing, deleteThing, updateThing } from './status-changes.ts';
import { listAudit, listThings, showPage, showThing } from './status-lists.ts';

/** One action on the page; gets the words after its name and returns the text to print. */
export type StatusAction = (
  service: StatusService,
  words: readonly string[],
  values: Invocation['values'],
) => Promise<string>;

const ACTIONS: Readonly<Record<string, StatusAction>> = {
  show: (service, words, values) =>
    words.length === 0 ? showPage(service, words, values) : showThing(service, words, values),
  list: listThings,
  create: createThing,
  update: updateThing,
  delete: deleteThing,
  audit: listAudit,
};

/**
 * `ledgerlens status ACTION`: the operations of the management API on the database itself, without a token.
 *
 * A server on the same database shows the change within a second.
 */
export async function execute({ positionals, values, env }: Invocation): Promise<number> {
  const [name = 'show', ...words] = positionals;
  if (name === 'token') {
    console.log(makeToken(words, values, randomBytes));
    return 0;
  }
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    const known = [...Object.keys(ACTIONS), 'token'].join(', ');
    throw new LedgerlensError('usage', `Unknown action "${name}" of status; the actions are: ${known}`);
  }
  const config = readConfig(env);
  if (isInMemory(config.database)) {
    throw new LedgerlensError('usage', 'DATABASE_URL must be that of the server, and not in memory');
  }
  // A change is told by what is printed.
  const log = SILENT;
  const store = await openStore(config, { log });
  try {
    const area = createStatusArea({
      store: store.status,
      clock: systemClock,
      randomness: randomBytes,
      log,
      options: { ...statusOptions(config), keepsStoredUrl: true },
    });
    await area.prepare();
    console.log(await action(area.service.by({ name: 'command' }), words, values));
    return 0;
  } finally {
    await store.close();
  }
}

/**
 * `ledgerlens status token NAME [--read]`: the token, shown once, and its line for STATUS_TOKENS.
 *
 * @throws LedgerlensError `usage`
 */
function makeToken(
  words: readonly string[],
  values: Invocation['values'],
  randomBytes: (count: number) => Uint8Array,
): string {
  const [name = '', ...others] = words;
  if (!/^[\w.-]{1,64}$/.test(name) || others.length > 0) {
    throw new LedgerlensError(
      'usage',
      'Name the token: status token NAME [--read], of letters, digits, ".", "_", "-"',
    );
  }
  const { text, line } = createStatusToken(name, values['read'] === true ? 'read' : 'write', randomBytes);
  if (values['json'] === true) return JSON.stringify({ token: text, entry: line }, null, 2);
  return [`token (shown only now):  ${text}`, `entry of STATUS_TOKENS:  ${line}`].join('\n');
}
