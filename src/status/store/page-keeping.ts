import type { ComponentStatus } from '../rules/component-status.ts';

/** Numbers a stretch of time in which one replica keeps the page; a later one has a higher number. */
export type KeeperToken = number;

/** What the replicas have found, by name of the probe: one entry for each replica that measures it. */
export type Findings = ReadonlyMap<string, readonly ComponentStatus[]>;

/**
 * What the replicas that serve one page have in common: one of them keeps the page at a time, which means to carry on
 * maintenances, store what is measured and send what is in the outbox; and all of them measure.
 *
 * @see docs/adr/0009-replicas-and-leases.md
 */
export interface PageKeeping {
  /**
   * Keeps the page on, or takes it when nobody keeps it. Asked every few seconds, else another replica takes it.
   *
   * @returns null: another replica keeps it. The token is a new one when another has kept it in between.
   */
  hold(): Promise<KeeperToken | null>;
  /** Whether this process keeps the page as far as it knows: its writes carry {@link token}, which is certain. */
  isKeeper(): boolean;
  /** What a write of the keeper carries, so that it is refused when another replica took over; null: none can. */
  token(): KeeperToken | null;
  /** Lets another replica keep the page at once. */
  release(): Promise<void>;
  /**
   * Hands in what this process has just measured.
   *
   * @param samples by name of the probe; one that is left out stays as it was, until it is too old.
   * @returns the newest samples of all replicas that run.
   */
  exchange(samples: ReadonlyMap<string, ComponentStatus>): Promise<Findings>;
}

/** One process that has the page to itself. */
export const ALONE: PageKeeping = {
  hold: async () => 0,
  isKeeper: () => true,
  token: () => null,
  release: async () => {},
  exchange: async (samples) => new Map([...samples].map(([probe, level]) => [probe, [level]])),
};
