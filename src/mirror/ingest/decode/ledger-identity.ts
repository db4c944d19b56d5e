import type { DecodedItem } from '../../items/decoded-item.ts';
import type { LedgerIdentity } from '../../ledger/rows.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';

const LEDGER_ID_FIELD = 1;

/**
 * The id that a successful LEDGERIDPUBLICATION gives the ledger; null for other types.
 *
 * @see contracts/streams.md section 12
 */
export function ledgerIdentity({ bodyBytes, consensusTimestamp, type }: DecodedItem): LedgerIdentity | null {
  if (type !== TYPE.LEDGERIDPUBLICATION) return null;
  const body = rawField(bodyBytes, type);
  const ledgerId = body === null ? null : rawField(body, LEDGER_ID_FIELD);
  return ledgerId === null ? null : { consensusTimestamp, ledgerId };
}
