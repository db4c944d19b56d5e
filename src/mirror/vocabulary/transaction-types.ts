import type { TransactionData } from '../protobuf/message-types.ts';
import { oneofNumbers } from '../protobuf/messages.ts';

/** What the ledger calls a transaction type. */
interface TransactionType {
  readonly number: number;
  readonly name: string;
}

/** The name that rows of an unlisted type number print. */
export const UNKNOWN_TYPE_NAME = 'UNKNOWN';

/** Types that only private block streams carry; no document lists them as filters, but web explorers offer them. */
const SYSTEM_TYPES: ReadonlySet<string> = new Set([
  'STATESIGNATURETRANSACTION',
  'HINTSPREPROCESSINGVOTE',
  'HINTSKEYPUBLICATION',
  'HINTSPARTIALSIGNATURE',
  'HISTORYPROOFSIGNATURE',
  'HISTORYPROOFKEYPUBLICATION',
  'HISTORYPROOFVOTE',
  'CRSPUBLICATION',
  'MIGRATIONROOTHASHVOTE',
]);

/** Of a hook that a transaction ran: it has no name. */
const HOOK_DISPATCH = 76;

/** Types with a public name, that of their member of `TransactionBody.data` in capitals, in the order of their numbers. */
const NAMED_TYPES: readonly TransactionType[] = Object.entries(oneofNumbers('proto.TransactionBody', 'data'))
  .map(([member, number]) => ({ number, name: member.toUpperCase() }))
  .filter(({ number }) => number !== HOOK_DISPATCH)
  .sort((one, other) => one.number - other.number);

/** Those that documents list. @see contracts/mirror-transactions.md section 9 */
export const TRANSACTION_TYPES: readonly TransactionType[] = NAMED_TYPES.filter(
  ({ name }) => !SYSTEM_TYPES.has(name),
);

/** Their numbers. */
export const TYPE = Object.fromEntries(TRANSACTION_TYPES.map(({ name, number }) => [name, number])) as {
  readonly [Member in keyof TransactionData as Uppercase<Member>]: number;
};

const NUMBERS: ReadonlyMap<string, number> = new Map(NAMED_TYPES.map(({ name, number }) => [name, number]));
const NAMES: ReadonlyMap<number, string> = new Map([...NUMBERS].map(([name, number]) => [number, name]));

export function isKnownType(number: number): boolean {
  return NAMES.has(number) || number === HOOK_DISPATCH;
}

/** Every text that the member `name` can have. */
export const ROW_NAMES: readonly string[] = [...NUMBERS.keys(), UNKNOWN_TYPE_NAME];

/** The text of the member `name`. */
export function transactionTypeName(number: number): string {
  return NAMES.get(number) ?? UNKNOWN_TYPE_NAME;
}

/**
 * The type number that a `transactiontype` filter selects, in any letter case.
 *
 * @returns null for a name that is no filter.
 * @see contracts/mirror-transactions.md section 3.1
 */
export function transactionTypeNumber(name: string): number | null {
  return NUMBERS.get(name.toUpperCase()) ?? null;
}
