import { isTimestamp } from '../../../values/consensus-timestamp.ts';
import { MirrorApiError } from '../../errors.ts';
import { type LedgerQuestions, orNull } from '../ask/ledger-questions.ts';
import { entityPath } from '../parts/ledger-links.ts';
import type { ShownKinds } from '../parts/shown-kinds.ts';

/** What a search looks into. */
interface SearchParts {
  readonly questions: LedgerQuestions;
  readonly shownKinds: ShownKinds;
}

/** Where a search leads, below `/ledger/`, or what it found without a page of its own. */
export type SearchOutcome =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'schedule'; readonly id: string }
  | { readonly kind: 'nothing' };

const ENTITY = /^(?:\d{1,4}\.\d{1,5}\.\d{1,12})$/;
const NUMBER = /^\d{1,19}$/;
const HASH = /^(?:0x)?(?:[\dA-Fa-f]{96}|[\dA-Fa-f]{64})$/;
const BASE64_HASH = /^[\dA-Za-z+\-/_]{64}$/;
const TRANSACTION_ID = /^\d+\.\d+\.\d+[-@]/;

const NOTHING: SearchOutcome = { kind: 'nothing' };

/** Finds what a text names: an entity, an address or alias, a transaction, a block or a consensus time. */
export async function search(given: string, { questions, shownKinds }: SearchParts): Promise<SearchOutcome> {
  const text = given.trim();
  if (TRANSACTION_ID.test(text)) return page('transactions', text);
  if (ENTITY.test(text)) return entity(text, shownKinds);
  if (isTimestamp(text) && text.includes('.')) {
    return hasSome((await questions.transactions(`?timestamp=${text}&limit=1`)).document.transactions)
      ? page('transactions', text)
      : NOTHING;
  }
  if (NUMBER.test(text)) return ofNumber(text, { questions, shownKinds });
  if (HASH.test(text)) {
    if (await known(questions.block(text))) return page('blocks', text);
    return (await known(questions.transaction(text))) ? page('transactions', text) : NOTHING;
  }
  if (BASE64_HASH.test(text) && (await known(questions.transaction(text)))) {
    return page('transactions', `0x${Buffer.from(text, 'base64').toString('hex')}`);
  }
  return (await known(questions.account(text, '?transactions=false'))) ? page('accounts', text) : NOTHING;
}

/** A block before an entity: entities are mostly named with their shard and realm. */
async function ofNumber(text: string, { questions, shownKinds }: SearchParts): Promise<SearchOutcome> {
  if (await known(questions.block(text))) return page('blocks', text);
  return text.length > 12 ? NOTHING : entity(text, shownKinds);
}

async function entity(id: string, shownKinds: ShownKinds): Promise<SearchOutcome> {
  const kind = (await shownKinds([id])).get(id);
  if (kind === undefined) return NOTHING;
  return kind === 'SCHEDULE' ? { kind: 'schedule', id } : { kind: 'page', path: entityPath(kind, id) };
}

function page(folder: string, name: string): SearchOutcome {
  return { kind: 'page', path: `${folder}/${encodeURIComponent(name)}` };
}

/** Whether an answer is there; a text of another form is nothing either. */
async function known(asked: Promise<unknown>): Promise<boolean> {
  try {
    return (await orNull(asked)) !== null;
  } catch (error) {
    if (error instanceof MirrorApiError && error.statusCode === 400) return false;
    throw error;
  }
}

function hasSome(list: readonly unknown[]): boolean {
  return list.length > 0;
}
