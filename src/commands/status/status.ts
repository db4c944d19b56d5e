import { randomBytes } from 'node:crypto';
import { statusOptions } from '../../services.ts';
import { createStatusArea, createStatusToken } from '../../status/index.ts';
import { openStore } from '../../store/open-store.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { Invocation } from '../command.ts';
import { SILENT } from '../logger.ts';
import { readAction } from '../read-words.ts';
import { readServerConfig } from '../server-config.ts';
import { listAudit, listResources, print, type StatusAction, showPage, showThing } from './status-lists.ts';
import { CALLED, readId, readMembers, readNoun } from './status-noun.ts';

/** `status create NOUN member=value…`: prints the new thing; of a subscriber only now with its secret. */
const createResource: StatusAction = async (service, [word, ...words]) => {
  const members = readMembers(words);
  const noun = readNoun(word, ['component', 'group', 'incident', 'subscriber']);
  return print(await service[`create${CALLED[noun]}`](members));
};

/** `status update NOUN [ID] member=value…`: prints the thing as it is now; an update needs its incident before it. */
const updateThing: StatusAction = async (service, [word, ...words]) => {
  const noun = readNoun(word, ['page', 'component', 'group', 'incident', 'update']);
  if (noun === 'page') return print(await service.updatePage(readMembers(words)));
  const id = readId(words[0], noun === 'update' ? 'incident' : noun);
  if (noun !== 'update')
    return print(await service[`update${CALLED[noun]}`](id, readMembers(words.slice(1))));
  const updateId = readId(words[1], 'update');
  return print(await service.editIncidentUpdate(id, updateId, readMembers(words.slice(2))));
};

/** `status delete NOUN ID`: prints what is gone. */
const deleteThing: StatusAction = async (service, [word, ...words]) => {
  const noun = readNoun(word, ['component', 'group', 'incident', 'subscriber']);
  const id = readId(words[0], noun);
  const gone = await service[`delete${CALLED[noun]}`](id);
  return noun === 'component' ? `Component ${id} is deleted.` : print(gone);
};

const ACTIONS: Readonly<Record<string, StatusAction>> = {
  show: (service, words, values) =>
    words.length === 0 ? showPage(service, words, values) : showThing(service, words, values),
  list: listResources,
  create: createResource,
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
  const action = readAction(ACTIONS, 'status', name, ['token']);
  const config = readServerConfig(env);
  // A change is told by what is printed.
  const log = SILENT;
  const store = await openStore(config, { log });
  try {
    const area = createStatusArea({
      store: store.status,
      clock: store.clock,
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
