import type { Awaitable } from '../../values/and-then.ts';
import type { MissingSidecars } from './sidecars.ts';

/** Facts about the whole ledger that answers need. Those that pages need are at hand where the database is local. */
export interface LedgerReader {
  /** The end of the newest stored unit, nanoseconds; null in an empty ledger. */
  newestConsensusEnd(): Awaitable<bigint | null>;
  /** Names the ledger and the number of times that its stored rows were changed. */
  edition(): Awaitable<string>;
  /** Differs after every change of what the newest pages show. */
  stamp(): Awaitable<string>;
  /**
   * The encoded id of the entity with this EVM address (40 hex digits, lower case); null when nobody has it of whom
   * the ledger knows that they are not deleted.
   */
  entityByEvmAddress(hex: string): Promise<bigint | null>;
  /** The same, but also a deleted one. */
  contractByEvmAddress(hex: string): Promise<bigint | null>;
  /** Version of the network's API in the newest unit, for example `0.66.0`; null without units and where it names none. */
  networkVersion(): Awaitable<string | null>;
  /** What is not there of the sidecars that stored record files name. */
  missingSidecars(): Awaitable<MissingSidecars>;
}
