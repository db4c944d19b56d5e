import type { IntegerSelection } from '../parameters/integer-range.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';

/** Which contracts a list shows. */
export interface ContractSelection extends PageRequest {
  readonly ids: IntegerSelection;
}

/** Walks the contracts of the ledger, deleted ones too. */
export interface ContractPages {
  /** Ids in their order. */
  page(selection: ContractSelection): Promise<readonly bigint[]>;
}
