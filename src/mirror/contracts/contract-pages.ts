import type { IntegerSelection } from '../parameters/integer-range.ts';

/** Which contracts a list shows. */
export interface ContractSelection {
  readonly ids: IntegerSelection;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Walks the contracts of the ledger, deleted ones too. */
export interface ContractPages {
  /** Ids in their order. */
  page(selection: ContractSelection): Promise<readonly bigint[]>;
}
