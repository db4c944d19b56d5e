import { isTimestamp } from '../../../values/consensus-timestamp.ts';
import { MirrorApiError } from '../../errors.ts';
import type { EntityType } from '../../ledger/rows.ts';
import { type LedgerQuestions, orNull } from '../ask/ledger-questions.ts';

/** What a search looks into. */
export interface SearchParts {
  readonly questions: LedgerQuestions;
  /** Kind of the entity with a number; null when it is only known from transfers, undefined when not at all. */
  readonly kindOf: (id: string) => Promise<EntityType | null | undefined>;
}

/** Where a search leads, below `/ledger/`, or what it found without a page of its own. */
export type SearchOutcome =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'entity'; readonly id: string; readonly type: EntityType }
  | { readonly kind: 'nothing' };

const ENTITY = /^(?:\d{1,4}\.\d{1,5}\.\d{1,12})$/;
const NUMBER = /^\d{1,19}$/;
const HASH = /^(?:0x)?(?:[\dA-Fa-f]{96}|[\dA-Fa-f]{64})$/;
const BASE64_HASH = /^[\dA-Za-z+\-/_]{64}$/;
const TRANSACTION_ID = /^\d+\.\d+\.\d+[-@]/;

const NOTHING: SearchOutcome = { kind: 'nothing' };

/** Finds what a text names: an entity, an address or alias, a transaction, a block or a consensus time. */
export async function search(given: string, { kindOf, questions }: SearchParts): Promise<SearchOutcome> {
  const text = given.trim();
  if (TRANSACTION_ID.test(text)) return page('transactions', text);
  if (ENTITY.test(text)) return entity(text, kindOf);
  if (isTimestamp(text) && text.includes('.')) {
    return hasSome((await questions.transactions(`?timestamp=${text}&limit=1`)).document.transactions)
      ? page('transactions', text)
      : NOTHING;
  }
  if (NUMBER.test(text)) return ofNumber(text, { kindOf, questions });
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
async function ofNumber(text: string, { kindOf, questions }: SearchParts): Promise<SearchOutcome> {
  if (await known(questions.block(text))) return page('blocks', text);
  return text.length > 12 ? NOTHING : entity(text, kindOf);
}

async function entity(id: string, kindOf: SearchParts['kindOf']): Promise<SearchOutcome> {
  const type = await kindOf(id);
  if (type === undefined) return NOTHING;
  if (type === null || type === 'ACCOUNT' || type === 'CONTRACT') return page('accounts', id);
  if (type === 'TOKEN') return page('tokens', id);
  if (type === 'TOPIC') return page('topics', id);
  return { kind: 'entity', id, type };
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
