/** How this installation is right now. */
export interface Overview {
  /** Of everything that the status page lists: its indicator and sentence. */
  readonly status: { readonly indicator: string; readonly description: string };
  /** Null for an empty ledger. */
  readonly ledger: {
    /** Consensus end of the newest unit, UTC milliseconds. */
    readonly newestAt: number;
    /** The same as seconds with nine digits. */
    readonly newestTimestamp: string;
    /** Version that the network runs; null when nothing tells it. */
    readonly networkVersion: string | null;
  } | null;
  /** Chains whose contracts can be verified. */
  readonly chains: readonly { readonly chainId: string; readonly name: string }[];
  /** UTC milliseconds of this report. */
  readonly now: number;
}

/** Asks the areas. */
export type ReadOverview = () => Promise<Overview>;
