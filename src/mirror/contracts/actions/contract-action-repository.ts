import type { ContractAction } from '../../ledger/facets/contract-actions.ts';
import type { PageRange } from '../../parameters/page-parameters.ts';

/** Which actions of a call a page shows, by their indexes. */
export interface ActionSelection extends PageRange {
  readonly consensusTimestamp: bigint;
  readonly payer: bigint;
}

/** The traces of contract calls. */
export interface ContractActionRepository {
  /** In the order of their indexes. */
  page(selection: ActionSelection): Promise<readonly ContractAction[]>;
}
