/**
 * Every transaction type with a public name: field numbers of the `TransactionBody.data` oneof.
 *
 * @see contracts/mirror-transactions.md section 9
 */
export const TYPE = {
  CONTRACTCALL: 7,
  CONTRACTCREATEINSTANCE: 8,
  CONTRACTUPDATEINSTANCE: 9,
  CRYPTOADDLIVEHASH: 10,
  CRYPTOCREATEACCOUNT: 11,
  CRYPTODELETE: 12,
  CRYPTODELETELIVEHASH: 13,
  CRYPTOTRANSFER: 14,
  CRYPTOUPDATEACCOUNT: 15,
  FILEAPPEND: 16,
  FILECREATE: 17,
  FILEDELETE: 18,
  FILEUPDATE: 19,
  SYSTEMDELETE: 20,
  SYSTEMUNDELETE: 21,
  CONTRACTDELETEINSTANCE: 22,
  FREEZE: 23,
  CONSENSUSCREATETOPIC: 24,
  CONSENSUSUPDATETOPIC: 25,
  CONSENSUSDELETETOPIC: 26,
  CONSENSUSSUBMITMESSAGE: 27,
  UNCHECKEDSUBMIT: 28,
  TOKENCREATION: 29,
  TOKENFREEZE: 31,
  TOKENUNFREEZE: 32,
  TOKENGRANTKYC: 33,
  TOKENREVOKEKYC: 34,
  TOKENDELETION: 35,
  TOKENUPDATE: 36,
  TOKENMINT: 37,
  TOKENBURN: 38,
  TOKENWIPE: 39,
  TOKENASSOCIATE: 40,
  TOKENDISSOCIATE: 41,
  SCHEDULECREATE: 42,
  SCHEDULEDELETE: 43,
  SCHEDULESIGN: 44,
  TOKENFEESCHEDULEUPDATE: 45,
  TOKENPAUSE: 46,
  TOKENUNPAUSE: 47,
  CRYPTOAPPROVEALLOWANCE: 48,
  CRYPTODELETEALLOWANCE: 49,
  ETHEREUMTRANSACTION: 50,
  NODESTAKEUPDATE: 51,
  UTILPRNG: 52,
  TOKENUPDATENFTS: 53,
  NODECREATE: 54,
  NODEUPDATE: 55,
  NODEDELETE: 56,
  TOKENREJECT: 57,
  TOKENAIRDROP: 58,
  TOKENCANCELAIRDROP: 59,
  TOKENCLAIMAIRDROP: 60,
  ATOMICBATCH: 74,
  HOOKSTORE: 75,
  LEDGERIDPUBLICATION: 77,
  REGISTEREDNODECREATE: 78,
  REGISTEREDNODEUPDATE: 79,
  REGISTEREDNODEDELETE: 80,
} as const;

/** What the ledger calls a transaction type. */
interface TransactionType {
  readonly number: number;
  readonly name: string;
}

/** The name that rows of an unlisted type number print. */
export const UNKNOWN_TYPE_NAME = 'UNKNOWN';

/** The types in the order of their numbers. */
export const TRANSACTION_TYPES: readonly TransactionType[] = Object.entries(TYPE).map(([name, number]) => ({
  number,
  name,
}));

/** Types that only private block streams carry; no document lists them as filters, but web explorers offer them. */
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

const NUMBERS: ReadonlyMap<string, number> = new Map(Object.entries({ ...TYPE, ...SYSTEM_TYPES }));
const NAMES: ReadonlyMap<number, string> = new Map([...NUMBERS].map(([name, number]) => [number, name]));

/** Of a hook that a transaction ran: it has no name. */
const HOOK_DISPATCH = 76;

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
