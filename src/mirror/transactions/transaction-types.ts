/** What the ledger calls a transaction type. */
export interface TransactionType {
  /** Field number of the `TransactionBody.data` oneof. */
  readonly number: number;
  readonly name: string;
  /** True for the names that the interface specification lists for `transactiontype`. */
  readonly documented: boolean;
}

/** The name that rows of an unlisted type number print. */
export const UNKNOWN_TYPE_NAME = 'UNKNOWN';

/**
 * Every type with a public name.
 *
 * @see contracts/mirror-transactions.md section 9
 */
export const TRANSACTION_TYPES: readonly TransactionType[] = [
  { number: 7, name: 'CONTRACTCALL', documented: true },
  { number: 8, name: 'CONTRACTCREATEINSTANCE', documented: true },
  { number: 9, name: 'CONTRACTUPDATEINSTANCE', documented: true },
  { number: 10, name: 'CRYPTOADDLIVEHASH', documented: true },
  { number: 11, name: 'CRYPTOCREATEACCOUNT', documented: true },
  { number: 12, name: 'CRYPTODELETE', documented: true },
  { number: 13, name: 'CRYPTODELETELIVEHASH', documented: true },
  { number: 14, name: 'CRYPTOTRANSFER', documented: true },
  { number: 15, name: 'CRYPTOUPDATEACCOUNT', documented: true },
  { number: 16, name: 'FILEAPPEND', documented: true },
  { number: 17, name: 'FILECREATE', documented: true },
  { number: 18, name: 'FILEDELETE', documented: true },
  { number: 19, name: 'FILEUPDATE', documented: true },
  { number: 20, name: 'SYSTEMDELETE', documented: true },
  { number: 21, name: 'SYSTEMUNDELETE', documented: true },
  { number: 22, name: 'CONTRACTDELETEINSTANCE', documented: true },
  { number: 23, name: 'FREEZE', documented: true },
  { number: 24, name: 'CONSENSUSCREATETOPIC', documented: true },
  { number: 25, name: 'CONSENSUSUPDATETOPIC', documented: true },
  { number: 26, name: 'CONSENSUSDELETETOPIC', documented: true },
  { number: 27, name: 'CONSENSUSSUBMITMESSAGE', documented: true },
  { number: 28, name: 'UNCHECKEDSUBMIT', documented: true },
  { number: 29, name: 'TOKENCREATION', documented: true },
  { number: 31, name: 'TOKENFREEZE', documented: true },
  { number: 32, name: 'TOKENUNFREEZE', documented: true },
  { number: 33, name: 'TOKENGRANTKYC', documented: true },
  { number: 34, name: 'TOKENREVOKEKYC', documented: true },
  { number: 35, name: 'TOKENDELETION', documented: true },
  { number: 36, name: 'TOKENUPDATE', documented: true },
  { number: 37, name: 'TOKENMINT', documented: true },
  { number: 38, name: 'TOKENBURN', documented: true },
  { number: 39, name: 'TOKENWIPE', documented: true },
  { number: 40, name: 'TOKENASSOCIATE', documented: true },
  { number: 41, name: 'TOKENDISSOCIATE', documented: true },
  { number: 42, name: 'SCHEDULECREATE', documented: true },
  { number: 43, name: 'SCHEDULEDELETE', documented: true },
  { number: 44, name: 'SCHEDULESIGN', documented: true },
  { number: 45, name: 'TOKENFEESCHEDULEUPDATE', documented: true },
  { number: 46, name: 'TOKENPAUSE', documented: true },
  { number: 47, name: 'TOKENUNPAUSE', documented: true },
  { number: 48, name: 'CRYPTOAPPROVEALLOWANCE', documented: true },
  { number: 49, name: 'CRYPTODELETEALLOWANCE', documented: true },
  { number: 50, name: 'ETHEREUMTRANSACTION', documented: true },
  { number: 51, name: 'NODESTAKEUPDATE', documented: true },
  { number: 52, name: 'UTILPRNG', documented: true },
  { number: 53, name: 'TOKENUPDATENFTS', documented: true },
  { number: 54, name: 'NODECREATE', documented: true },
  { number: 55, name: 'NODEUPDATE', documented: true },
  { number: 56, name: 'NODEDELETE', documented: true },
  { number: 57, name: 'TOKENREJECT', documented: true },
  { number: 58, name: 'TOKENAIRDROP', documented: true },
  { number: 59, name: 'TOKENCANCELAIRDROP', documented: true },
  { number: 60, name: 'TOKENCLAIMAIRDROP', documented: true },
  { number: 74, name: 'ATOMICBATCH', documented: true },
  { number: 75, name: 'HOOKSTORE', documented: true },
  { number: 77, name: 'LEDGERIDPUBLICATION', documented: true },
  { number: 78, name: 'REGISTEREDNODECREATE', documented: false },
  { number: 79, name: 'REGISTEREDNODEUPDATE', documented: false },
  { number: 80, name: 'REGISTEREDNODEDELETE', documented: false },
];

/** Types that only private block streams carry; web explorers offer them as filters, rows print UNKNOWN. */
const SYSTEM_TYPES: Readonly<Record<string, number>> = {
  STATESIGNATURETRANSACTION: 65,
  HINTSPREPROCESSINGVOTE: 66,
  HINTSKEYPUBLICATION: 67,
  HINTSPARTIALSIGNATURE: 68,
  HISTORYPROOFSIGNATURE: 69,
  HISTORYPROOFKEYPUBLICATION: 70,
  HISTORYPROOFVOTE: 71,
  CRSPUBLICATION: 72,
  MIGRATIONROOTHASHVOTE: 81,
};

const NAMES = new Map(TRANSACTION_TYPES.map(({ number, name }) => [number, name]));
const NUMBERS = new Map([
  ...TRANSACTION_TYPES.map(({ number, name }): [string, number] => [name, number]),
  ...Object.entries(SYSTEM_TYPES),
]);

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
