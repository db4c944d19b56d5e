import {
  prepareLists,
  prepareSelect,
  type Sql,
  type SqlDialect,
  type SqlList,
} from '../../../storage/sql/sql.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { Hex } from '../../../values/hex.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import {
  bytes,
  flag,
  int64,
  json,
  number,
  type RecordOf,
  rowTable,
  text,
  unlessNull,
} from '../../../values/row-table.ts';
import { unpackBloom } from '../../evm/packed-bloom.ts';
import type { PackedAccess, PackedAuthorization } from '../../ledger/facets/ethereum-transactions.ts';
import { hashPrefix } from '../../ledger/hash-prefix.ts';
import { roomFor } from '../../lists/list.ts';
import type { IntegerSelection, PageRequest } from '../../parameters/page-parameters.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { createResultKeys, type ResultKey } from './result-keys.sql.ts';

/** Selects bytes as hex with `0x`. */
type HexOf = (column: string) => string;

/** The Ethereum transaction of a result. Prices and value are weibars. */
const ethereumTransaction = (hexOf: HexOf) =>
  rowTable({
    type: number('e.type'),
    nonce: int64('e.nonce'),
    gasLimit: int64('e.gas_limit'),
    gasPrice: bytes<Uint8Array | null>('e.gas_price'),
    maxFeePerGas: bytes<Uint8Array | null>('e.max_fee_per_gas'),
    maxPriorityFeePerGas: bytes<Uint8Array | null>('e.max_priority_fee_per_gas'),
    value: bytes<Uint8Array | null>('e.value'),
    chainId: bytes<Uint8Array | null>('e.chain_id'),
    toAddress: text<Hex | null>(hexOf('e.to_address')),
    accessList: json<readonly PackedAccess[]>('e.access_list', []),
    authorizationList: json<readonly PackedAuthorization[]>('e.authorization_list', []),
    recoveryId: int64<bigint | null>('e.recovery_id'),
    signatureV: bytes<Uint8Array | null>('e.signature_v'),
    signatureR: text<Hex | null>(hexOf('e.signature_r')),
    signatureS: text<Hex | null>(hexOf('e.signature_s')),
  });
export type StoredEthereumTransaction = RecordOf<ReturnType<typeof ethereumTransaction>>;

/**
 * What the EVM made of a transaction, or what a synthetic log says instead; null is what is not known. What is only shown
 * is hex already.
 */
const storedResult = (hexOf: HexOf) =>
  rowTable({
    consensusTimestamp: int64<ConsensusTimestamp>('r.consensus_ts'),
    /** Whether a synthetic log stands for it. */
    isSynthetic: flag('0 AS is_synthetic'),
    payer: int64('r.payer_id'),
    nonce: number('r.nonce'),
    /** Response code number. */
    result: number('r.result'),
    /** 0 where none is known. */
    contract: int64('r.contract_id'),
    sender: int64<bigint | null>('r.sender_id'),
    senderAlias: text<Hex | null>(hexOf('r.sender_alias')),
    transactionIndex: int64<bigint | null>('r.transaction_index'),
    /** 32 bytes. */
    hash: text<Hex | null>(hexOf('r.hash')),
    /** Tinybars. */
    amount: int64<bigint | null>('r.amount'),
    gasLimit: int64('r.gas_limit'),
    gasUsed: int64<bigint | null>('r.gas_used'),
    gasConsumed: int64<bigint | null>('r.gas_consumed'),
    bloom: { column: 'r.bloom', fromStored: unpackBloom },
    callResult: text<Hex | null>(hexOf('r.call_result')),
    errorMessage: text<string | null>('r.error_message'),
    functionParameters: text<Hex | null>(hexOf('r.function_parameters')),
    failedInitcode: text<Hex | null>(hexOf('r.failed_initcode')),
    createdContracts: {
      column: 'r.created_contracts',
      fromStored: (ids: string | null): readonly bigint[] => ids?.split(' ').map(BigInt) ?? [],
    },
    ethereum: unlessNull<StoredEthereumTransaction | null>('e.type', ethereumTransaction(hexOf).members),
  });
export type StoredResult = RecordOf<ReturnType<typeof storedResult>> & {
  /** The page has no room for it: of the rest nothing is read. */
  readonly isLeftOut?: true;
};

/** What an Ethereum transaction sent to its contract. */
interface StoredCallData {
  readonly callData: Hex | null;
  /** The file that has them instead. */
  readonly file: bigint | null;
}

/** Which results a list shows; bounds inclusive. */
export interface ResultSelection extends PageRequest {
  /** Null for those of all contracts. */
  readonly contract: bigint | null;
  readonly times: IntegerSelection;
  /** Null for all. */
  readonly senders: IntegerSelection | null;
  /** Null for all. */
  readonly transactionIndexes: ReadonlySet<bigint> | null;
  /** Whether those with a nonce above 0 are among them. */
  readonly isInternal: boolean;
  /** Whether synthetic logs stand for results. */
  readonly withSynthetic: boolean;
}

/** Where a transaction is that a path names. */
export interface FoundResult {
  readonly consensusTimestamp: bigint;
  readonly payer: bigint;
  /** Of the row that a hash found; null for a transaction id. */
  readonly contract: bigint | null;
}

/** A slot that a transaction read or wrote. */
const CHANGED_SLOT = rowTable({
  contract: int64('contract_id'),
  slot: bytes('slot'),
  valueRead: bytes('value_read'),
  valueWritten: bytes<Uint8Array | null>('value_written'),
  isMigration: flag('is_migration'),
});
export type ChangedSlot = RecordOf<typeof CHANGED_SLOT>;

interface SyntheticRow {
  readonly at: bigint;
  readonly payer: bigint;
  readonly contract: bigint;
  readonly transactionIndex: bigint | null;
  readonly hash: Hex | null;
}

const syntheticColumns = ({ prefixedHex }: SqlDialect) => `consensus_ts as at, payer_id as payer,
  coalesce(root_contract_id, contract_id) as contract, transaction_index as "transactionIndex", ${prefixedHex('hash')} as hash`;
const HASH_BYTES = 32;
/** What may be long of a result, and how many characters a byte of it takes. */
const LONG_MEMBERS = [
  [2, 'r.function_parameters'],
  [2, 'r.call_result'],
  [2, 'r.failed_initcode'],
  [1, 'r.error_message'],
  [1, 'e.access_list'],
  [1, 'e.authorization_list'],
] as const;

const MAX_VALID_NANOS = 35n * 60n * 1_000_000_000n;

/** The read side of what contracts did. */
export type ContractResultRepository = ReturnType<typeof createContractResultRepository>;

/** Reads the tables of what contracts did. */
export function createContractResultRepository(sql: Sql) {
  const { isListed } = sql.dialect;
  const keysOf = createResultKeys(sql);
  const results = (condition: string) =>
    prepareLists(
      sql,
      storedResult(sql.dialect.prefixedHex),
      `from contract_result r
       left join ethereum_transaction e on e.consensus_ts = r.consensus_ts and e.payer_id = r.payer_id
       where ${condition}`,
    );
  const synthetic = (condition: string) =>
    sql.prepareExact<unknown[], SyntheticRow>(
      `select ${syntheticColumns(sql.dialect)} from contract_log where ${condition}`,
    );
  const listed = results(isListed('r.consensus_ts'));
  const lengths = sql.prepareExact<[SqlList], { readonly at: bigint; readonly characters: bigint }>(
    `select r.consensus_ts as at, ${LONG_MEMBERS.map(([weight, name]) => `${weight} * coalesce(octet_length(${name}), 0)`).join(' + ')} as characters
     from contract_result r left join ethereum_transaction e on e.consensus_ts = r.consensus_ts and e.payer_id = r.payer_id
     where ${isListed('r.consensus_ts')}`,
  );
  /** The keys that a page has room for, one at least. */
  const fitting = async (keys: readonly ResultKey[]): Promise<readonly ResultKey[]> => {
    if (keys.length < 2) return keys;
    const times = sql.dialect.list(keys.map((key) => key.consensusTimestamp));
    const found = await sql.read(() => lengths.all(times));
    const lengthAt = new Map(found.map(({ at, characters }) => [at, Number(characters)]));
    const lengthOf = ({ consensusTimestamp: at, isSynthetic }: ResultKey) =>
      isSynthetic ? 0 : (lengthAt.get(at) ?? 0);
    return keys.slice(0, roomFor(keys, lengthOf));
  };
  const one = results('r.consensus_ts = ?');
  const firstSynthetic = synthetic(`is_first_result = 1 and ${isListed('consensus_ts')}`);
  const syntheticOfContract = synthetic(`result_contract_id = ? and ${isListed('consensus_ts')}`);
  const lowestSynthetic = synthetic('consensus_ts = ? and is_synthetic = 1 order by log_index limit 1');
  const lowestOfContract = synthetic(
    'consensus_ts = ? and is_synthetic = 1 and coalesce(root_contract_id, contract_id) = ? order by log_index limit 1',
  );
  // The best one first: it succeeded, else it ran, else the latest.
  const byHash = sql.prepareExact<[bigint, Uint8Array], FoundResult>(
    `select r.consensus_ts as "consensusTimestamp", r.payer_id as payer, r.contract_id as contract
     from contract_result_hash h join contract_result r on r.consensus_ts = h.consensus_ts
     where h.prefix = ? and r.hash = ?
     order by case when r.result = ${RESULT.SUCCESS} then 2 when r.has_run = 1 then 1 else 0 end desc,
       r.consensus_ts desc limit 1`,
  );
  const byTransactionHash = sql.prepareExactValue<[bigint, Uint8Array], bigint>(
    `select t.consensus_ts from tx_hash h join tx t on t.consensus_ts = h.consensus_ts
     where h.prefix = ? and substr(t.hash, 1, ${HASH_BYTES}) = ? order by t.consensus_ts limit 1`,
  );
  const byId = sql.prepareExact<[bigint, bigint, number, bigint], FoundResult>(
    `select consensus_ts as "consensusTimestamp", payer, cast(null as bigint) as contract from tx
     where payer = ? and valid_start = ? and nonce = ? and consensus_ts <= ?
     order by case when result = ${RESULT.SUCCESS} then 1 else 0 end desc, consensus_ts desc limit 1`,
  );
  const slots = prepareSelect(
    sql,
    CHANGED_SLOT,
    'from contract_state_change where consensus_ts = ? order by contract_id, slot, is_migration',
  );
  const callData = sql.prepareExact<[bigint, bigint], StoredCallData>(
    `select ${sql.dialect.prefixedHex('call_data')} as "callData", call_data_file_id as file from ethereum_transaction
     where consensus_ts = ? and payer_id = ?`,
  );
  const transaction = sql.prepare<[bigint, bigint], number>(
    'select 1 from tx where consensus_ts = ? and payer = ?',
  );

  return {
    /** In order of time, with what synthetic logs stand for; behind many long ones, one that is left out. */
    async page(selection: ResultSelection): Promise<readonly StoredResult[]> {
      const all = await keysOf(selection);
      const keys = await fitting(all);
      const after = all[keys.length];
      const times = (isSynthetic: boolean): SqlList | null => {
        const wanted = keys.filter((key) => key.isSynthetic === isSynthetic);
        return wanted.length === 0 ? null : sql.dialect.list(wanted.map((key) => key.consensusTimestamp));
      };
      const [realTimes, syntheticTimes] = [times(false), times(true)];
      const found = new Map<bigint, StoredResult>();
      await sql.readTogether(function* () {
        if (realTimes !== null) {
          for (const row of yield* listed.all(realTimes)) found.set(row.consensusTimestamp, row);
        }
        if (syntheticTimes !== null) {
          const rows =
            selection.contract === null
              ? yield* firstSynthetic.all(syntheticTimes)
              : yield* syntheticOfContract.all(selection.contract, syntheticTimes);
          for (const row of rows) found.set(row.at, syntheticResult(row));
        }
      });
      const page = keys.flatMap((key) => found.get(key.consensusTimestamp) ?? []);
      return after === undefined ? page : [...page, leftOut(after)];
    },
    /** The real one of a time. */
    async at(time: bigint) {
      return sql.read(() => one.find(time));
    },
    /** What the lowest synthetic log of a time stands for: also a hidden one. @param contract root, else own; null for any */
    async syntheticAt(time: bigint, contract: bigint | null) {
      const row = await sql.read(() =>
        contract === null ? lowestSynthetic.get(time) : lowestOfContract.get(time, contract),
      );
      return row === undefined ? null : syntheticResult(row);
    },
    /** @param hash 32 bytes @see contracts/mirror-contracts.md section 1.2 */
    async findByHash(hash: Uint8Array) {
      const prefix = hashPrefix(hash);
      if (prefix === null) return null;
      return sql.read(function* () {
        const found = yield* byHash.get(prefix, hash);
        if (found !== undefined) return found;
        const time = yield* byTransactionHash.get(prefix, hash);
        const row = time === undefined ? undefined : yield* lowestSynthetic.get(time);
        return row === undefined
          ? null
          : { consensusTimestamp: row.at, payer: row.payer, contract: row.contract };
      });
    },
    async findById(payer: bigint, validStart: bigint, nonce: number) {
      const end = validStart + MAX_VALID_NANOS;
      const latest = end > MAX_INT64 ? MAX_INT64 : end;
      return sql.read(function* () {
        return (yield* byId.get(payer, validStart, nonce, latest)) ?? null;
      });
    },
    /** By contract and slot. */
    async changedSlots(time: bigint) {
      return sql.read(() => slots.all(time));
    },
    /** Null without an Ethereum transaction; lists do not show them, and they may be long. */
    async callDataAt(time: bigint, payer: bigint) {
      return (await sql.read(() => callData.get(time, payer))) ?? null;
    },
    /** Whether a transaction is stored at a time with a payer. */
    async hasTransaction(time: bigint, payer: bigint) {
      return (await sql.read(() => transaction.get(time, payer))) !== undefined;
    },
  };
}

function leftOut({ consensusTimestamp: at }: ResultKey): StoredResult {
  const empty = { at, contract: 0n, hash: null, payer: 0n, transactionIndex: null };
  return { ...syntheticResult(empty), isLeftOut: true };
}

/** @see contracts/mirror-contracts.md section 5 */
function syntheticResult({ at, contract, hash, payer, transactionIndex }: SyntheticRow): StoredResult {
  return {
    consensusTimestamp: consensusTimestamp(at),
    isSynthetic: true,
    payer,
    nonce: 0,
    result: RESULT.SUCCESS,
    contract,
    sender: payer,
    senderAlias: null,
    transactionIndex,
    hash,
    amount: null,
    gasLimit: 0n,
    gasUsed: null,
    gasConsumed: null,
    bloom: null,
    callResult: null,
    errorMessage: null,
    functionParameters: null,
    failedInitcode: null,
    createdContracts: [],
    ethereum: null,
  };
}
