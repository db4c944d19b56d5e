import type { ContractAction } from '../../ledger/facets/contract-actions.ts';

/** Bounds inclusive. */
export interface ActionSelection {
  readonly consensusTimestamp: bigint;
  readonly payer: bigint;
  readonly lower: bigint;
  readonly upper: bigint;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** The traces of contract calls. */
export interface ContractActionRepository {
  /** In the order of their indexes. */
  page(selection: ActionSelection): Promise<readonly ContractAction[]>;
}
