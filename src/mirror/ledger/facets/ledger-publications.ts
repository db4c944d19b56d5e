import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { appendTable } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { readLedgerPublication } from '../../items/ledger-publication.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { Facet } from './facet.ts';

/** A network told the id of its ledger. */
export interface PublishedLedger {
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly ledgerId: Uint8Array;
  /** Serialized LedgerIdPublicationTransactionBody: id, WRAPS key and roster. */
  readonly body: Uint8Array;
}

const PUBLICATION = appendTable('ledger_publication', 1, ['consensus_ts', 'ledger_id', 'body', 'is_signed']);

/**
 * Every publication of a ledger id. None is ever dropped: the first one of a ledger fixes its id.
 * Rows are in the order of the transactions.
 *
 * @see contracts/streams.md section 12, LEDGERIDPUBLICATION
 */
export const ledgerPublications: Facet<'publications', PublishedLedger> = {
  name: 'publications',

  decode: { types: [TYPE.LEDGERIDPUBLICATION], rows: publicationsOf },

  fold({ unit: { header, publications } }, state) {
    const isSigned = header.verification === 'signatures' ? 1 : 0;
    for (const { body, consensusTimestamp, ledgerId } of publications) {
      state.append(PUBLICATION, [consensusTimestamp, ledgerId, body, isSigned]);
    }
  },

  rebuild: { added: ['ledger_publication'] },
};

function publicationsOf({ bodyBytes, consensusTimestamp, type }: DecodedItem): readonly PublishedLedger[] {
  const body = rawField(bodyBytes, type);
  const published = body === null ? null : readLedgerPublication(body);
  if (body === null || published === null) return [];
  return [{ consensusTimestamp, ledgerId: published.ledgerId, body: Uint8Array.from(body) }];
}
