import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { bytes, flag, int64, number, type RecordOf, rowTable } from '../../../values/row-table.ts';
import { type Columns, eventTable } from '../../../values/stored-tables.ts';
import { trimmed } from '../../evm/bytes.ts';
import { EVENT } from '../../evm/log-topics.ts';
import { packBloom } from '../../evm/packed-bloom.ts';
import type { LedgerUnit } from '../rows.ts';
import type { Facet } from './facet.ts';
import { readContractLogLine } from './read-contract-log-line.ts';

const LOG = rowTable({
  consensusTimestamp: int64<ConsensusTimestamp>('consensus_ts'),
  /** Place among the logs of its block, from 0. */
  index: number('log_index'),
  contract: int64<EntityId>('contract_id'),
  /** Contract of the result; null where it has none. */
  rootContract: int64<EntityId | null>('root_contract_id'),
  payer: int64<EntityId>('payer_id'),
  transactionIndex: number<number | null>('transaction_index'),
  /** 32 bytes; null where nobody told it. */
  hash: bytes<Uint8Array | null>('hash'),
  bloom: { column: 'bloom', toStored: (bloom: Uint8Array | null) => packBloom(bloom) },
  data: bytes<Uint8Array | null>('data'),
  /** Whether it was made of a token event. */
  isSynthetic: flag('is_synthetic'),
});

/** A log that a contract wrote, or that stands for an event of a token. @see contracts/mirror-contracts.md section 11.3, 11.6 */
export interface ContractLog extends RecordOf<typeof LOG> {
  /** At most four, up to 32 bytes each, with or without leading zeros; null for one that is missing among others. */
  readonly topics: readonly (Uint8Array | null)[];
}

const CONTRACT_LOG = eventTable('contract_log', 2, [
  ...LOG.columns,
  'topic0',
  'topic1',
  'topic2',
  'topic3',
  'is_hidden',
  'result_contract_id',
  'is_first_result',
]);
const CONTRACT_LOG_TOPIC = eventTable('contract_log_topic', 4, [
  'position',
  'topic_tail',
  'consensus_ts',
  'log_index',
]);
const TOPICS = [0, 1, 2, 3] as const;
const TAIL_BYTES = 8;
/** Used for one topic after the other. */
const TAIL = new DataView(new ArrayBuffer(TAIL_BYTES));
const TRANSFER = Buffer.from(EVENT.transfer);
/** Serial number −1 of a change of treasury. */
const EVERY_SERIAL = Buffer.from('ffffffffffffffff', 'hex');

/** Logs with their topics; they go with their transactions. Rows ascend by time and index. */
export const contractLogs: Facet<'contractLogs', ContractLog> = {
  name: 'contractLogs',
  decodeUnit: ({ evm }) => ({ rows: evm.logs }),
  fixture: {
    kind: 'contract_log',
    isReadLast: true,
    place: {
      members: ['timestamp', 'index'],
      of: ({ consensusTimestamp, index }) => [consensusTimestamp, BigInt(index)],
    },
    read: readContractLogLine,
  },

  unitTables: [
    { table: CONTRACT_LOG, addRows: addLogs },
    {
      table: CONTRACT_LOG_TOPIC,
      addRows(unit, add) {
        for (const log of unit.contractLogs) {
          if (isHidden(log)) continue;
          for (const [position, topic] of log.topics.entries()) {
            if (topic !== null) add([position, topicTail(topic), log.consensusTimestamp, log.index]);
          }
        }
      },
    },
  ],
};

/**
 * The last eight bytes of a topic as int64, by which it is looked up: leading zeros do not count, and they differ
 * in numbers, addresses and hashes alike.
 */
export function topicTail(topic: Uint8Array): bigint {
  for (let index = 0; index < TAIL_BYTES; index++) {
    TAIL.setUint8(index, topic[topic.length - TAIL_BYTES + index] ?? 0);
  }
  return TAIL.getBigInt64(0);
}

function addLogs(unit: LedgerUnit, add: (row: Columns) => void): void {
  const [times, contracts] = [new Set<bigint>(), new Set<string>()];
  for (const log of unit.contractLogs) {
    const { consensusTimestamp: at, contract, rootContract, topics } = log;
    const hidden = isHidden(log);
    const result = rootContract ?? contract;
    // The lowest visible one stands for a result in lists: of its time, and of its contract at the time.
    const standsFor = log.isSynthetic && !hidden && log.transactionIndex !== null;
    const isFirst = standsFor && !times.has(at);
    const isFirstOfContract = standsFor && !contracts.has(`${at}/${result}`);
    if (standsFor) {
      times.add(at);
      contracts.add(`${at}/${result}`);
    }
    add([
      ...LOG.values(log),
      ...TOPICS.map((position) => cutOrNull(topics[position] ?? null)),
      hidden ? 1 : 0,
      isFirstOfContract ? result : null,
      isFirst ? 1 : 0,
    ]);
  }
}

/** @see contracts/mirror-contracts.md section 5, hidden */
function isHidden({ isSynthetic, topics }: ContractLog): boolean {
  const [event, , , serial] = topics;
  return (
    isSynthetic &&
    event != null &&
    serial != null &&
    TRANSFER.equals(trimmed(event)) &&
    EVERY_SERIAL.equals(trimmed(serial))
  );
}

function cutOrNull(topic: Uint8Array | null): Uint8Array | null {
  return topic === null ? null : trimmed(topic);
}
