import type { EntityId } from '../../values/entity-id.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';
import type { DecodedItem } from './decoded-item.ts';
import { contractId } from './ledger-ids.ts';

/** The contract that a transaction is the creation of; null when it is none. */
export function createdContract({ type, record }: DecodedItem): EntityId | null {
  if (type === TYPE.CONTRACTCREATEINSTANCE) return contractId(record.receipt?.contractID ?? null);
  if (type === TYPE.ETHEREUMTRANSACTION && record.contractCreateResult !== null) {
    return (
      contractId(record.contractCreateResult.contractID) ?? contractId(record.receipt?.contractID ?? null)
    );
  }
  return null;
}
