import type { Site } from '../pages/site/site-page.ts';
import type { DecodeRows } from './contracts/decode-rows.ts';
import type { Dialect } from './dialect.ts';
import type { CurrencyFormat, NumRange } from './network/supply.ts';
import type { SourceStates } from './pages/parts/source-state.ts';

/** What operators choose of area C; the defaults are those of the variables. @see contracts/mirror-transactions.md section 11 */
export interface MirrorSettings {
  /** That of the store. */
  readonly dialect: Dialect;
  /** Items of a transaction page without `limit`. */
  readonly limitDefault: number;
  /** Largest transaction page: above it `spec` refuses, `hiero` caps. */
  readonly limitMax: number;
  /** Values that one query parameter may have. */
  readonly maxRepeatedParameters: number;
  /** Widest time range of a transaction list in seconds; null leaves lists open. */
  readonly maxTransactionRangeSeconds: number | null;
  /** Token balances that an account shows. */
  readonly tokensOfAccount: number;
  /** Token balances that each account of a list shows. */
  readonly tokensInLists: number;
  /** Shard of the network. */
  readonly shard: bigint;
  /** Realm of the network. */
  readonly realm: bigint;
  /** EVM chain id of the ledger. */
  readonly chainId: bigint;
  /** Whether synthetic logs stand for contract results. */
  readonly showsSyntheticResults: boolean;
  /** How the text forms of the supply print. */
  readonly currencyFormat: CurrencyFormat;
  /** Account numbers whose balances are not released, ranges inclusive. */
  readonly unreleasedAccounts: readonly NumRange[];
  /** Whether times before the first known value get that value (supply, exchange rate, gas price). */
  readonly earliestValue: boolean;
  /** Versions of a broken system file to try before 404. */
  readonly maxFileAttempts: number;
  /** Largest body of a fee estimate in bytes. */
  readonly feeBodyLimit: number;
  /** Path of a fee schedule that replaces the bundled one; null for none. */
  readonly feeScheduleFile: string | null;
  /** Whether the server is ready only when the import is over that it begins with. */
  readonly isReadyAfterImport: boolean;
}

/** Those settings, and what other parts of the server offer. */
export interface MirrorOptions extends MirrorSettings {
  /** What stands before the path of links, such as `https://mirror.example`. Default none. */
  readonly linkBase?: string;
  /** Where pages lie. Default: at the root. */
  readonly site?: Site;
  /** Address of the server in requests that pages show; null: the one that each client asks. Default null. */
  readonly publicUrl?: string | null;
  /** What is known of the source of a contract, for links on pages. Default: there is no chain for it. */
  readonly sourceStates?: SourceStates;
  /** What verified contracts tell of calls and logs. Default: nothing. */
  readonly decode?: DecodeRows;
}
