/** Current state of this installation. */
export interface Overview {
  /** Of everything that the status page lists: its indicator and sentence. */
  readonly status: { readonly indicator: string; readonly description: string };
  /** Null for an empty ledger. */
  readonly ledger: {
    /** Consensus end of the newest unit, UTC milliseconds. */
    readonly newestAt: number;
    /** The same as seconds with nine digits. */
    readonly newestTimestamp: string;
    /** Version that the network runs; null when it is unknown. */
    readonly networkVersion: string | null;
  } | null;
  /** Chains whose contracts can be verified. */
  readonly chains: readonly { readonly chainId: string; readonly name: string }[];
  /** The newest verified contract; null while there is none. */
  readonly verified: { readonly chainId: string; readonly address: string; readonly name: string } | null;
  /** UTC milliseconds of this report. */
  readonly now: number;
}

export type ReadOverview = () => Promise<Overview>;
