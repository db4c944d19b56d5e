import { Type } from '@sinclair/typebox';
import type { BlockHead } from '../../blocks/block-repository.sql.ts';
import { exact, type Fields, hex, id, integer, itemOf, optional, text, time } from '../../lists/fields.ts';
import { DECODED, type DecodedMembers } from '../decode-rows.ts';
import { dataOf, type StoredLog, topicsOf } from './contract-log-repository.ts';

/** A log with what an answer shows beside it. */
export interface ShownLog {
  readonly log: StoredLog;
  /** Of its contract; null for none. */
  readonly address: string | null;
}

interface ListedLog extends ShownLog {
  /** That has it; null when it is not stored. */
  readonly block: BlockHead | null;
  readonly decoded?: DecodedMembers | undefined;
}

const BYTES = 'Hex of all bytes with `0x`; `0x` for none.';
const NO_BYTES = new Uint8Array();

/** The members that a log has in a result too. @see contracts/mirror-contracts.md sections 4.1 and 6 */
const members = {
  address: text.orNull(({ address }) => address),
  bloom: hex(({ log }) => log.bloom ?? NO_BYTES, BYTES),
  contract_id: id.orNull(({ log }) => log.contract),
  data: text(({ log }) => dataOf(log), BYTES),
  index: integer(({ log }) => log.index),
  topics: exact(Type.Array(Type.String()), ({ log }) => topicsOf(log)),
} satisfies Fields<ShownLog>;

export const RESULT_LOG = itemOf<ShownLog>()(members, 'ResultLog');

/** One item of a list of logs. */
export const LOG = itemOf<ListedLog>()(
  {
    ...members,
    block_hash: hex(({ block }) => block?.hash ?? NO_BYTES, BYTES),
    decoded: optional(DECODED, ({ decoded }) => decoded?.['decoded']),
    block_number: integer.orNull(({ block }) => block?.number ?? null),
    root_contract_id: id.orNull(({ log }) => log.rootContract),
    timestamp: time(({ log }) => log.consensusTimestamp),
    transaction_hash: text(({ log }) => log.hash ?? '0x', BYTES),
    transaction_index: integer.orNull(({ log }) => log.transactionIndex),
  },
  'ContractLog',
);
