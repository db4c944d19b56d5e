import type { LedgerIdentity } from '../../ledger/rows.ts';
import { rawField, wireFields } from '../../protobuf/wire.ts';
import type { DecodedItem } from './decoded-item.ts';
import { TYPE } from './transaction-type.ts';

const LEDGER_ID_FIELD = 1;

/**
 * The id that a successful LEDGERIDPUBLICATION gives the ledger; null for other types.
 *
 * @see contracts/streams.md section 12
 */
export function ledgerIdentity({ bodyFields, consensusTimestamp, type }: DecodedItem): LedgerIdentity | null {
  if (type !== TYPE.LEDGERIDPUBLICATION) return null;
  const body = rawField(bodyFields, type);
  const ledgerId = body === null ? null : rawField(wireFields(body), LEDGER_ID_FIELD);
  return ledgerId === null ? null : { consensusTimestamp, ledgerId };
}
