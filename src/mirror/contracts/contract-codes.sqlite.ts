import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../values/entity-id.ts';
import type { ContractCodes, ContractCount } from './contract-codes.ts';
import { creationCodeOfFile, readFileWrite } from './creation-code-file.ts';
import { entityOfLongZero, type Home, longZeroOf } from './long-zero-address.ts';

interface CreationRow {
  readonly created_ts: bigint;
  readonly transaction_hash: Buffer;
  readonly record_hash: Buffer | null;
  readonly transaction_index: bigint;
  readonly sender_id: bigint;
  readonly sender_address: Buffer | null;
  readonly file_id: bigint | null;
  readonly constructor_parameters: Buffer | null;
  readonly code: Buffer | null;
  readonly block_number: bigint | null;
}

interface CodeRow {
  readonly created_ts: bigint | null;
  readonly file_id: bigint | null;
  readonly creation: Buffer | null;
  readonly runtime: Buffer | null;
}

const EVM_HASH_LENGTH = 32;

/** Reads the tables `ledger_contract` and `ledger_code`, and files from the transactions that wrote them. */
export function createSqliteContractCodes(database: SqliteDatabase, home: Home): ContractCodes {
  const byEvmAddress = database
    .prepare<[Uint8Array, Uint8Array], bigint>(
      `select id from (
         select id, created_ts from entity where evm_address = ?
         union all select id, created_ts from entity where alias = ?)
       order by created_ts desc limit 1`,
    )
    .safeIntegers(true)
    .pluck();
  const typeOf = database.prepare<[bigint], string | null>('select type from entity where id = ?').pluck();
  const runtimeOf = database.prepare<[bigint], { readonly code: Buffer | null }>(
    `select k.code from ledger_contract c left join ledger_code k on k.hash = c.runtime_code where c.id = ?`,
  );
  const creationOf = database
    .prepare<[bigint], CreationRow>(
      `select c.created_ts, c.transaction_hash, t.hash as record_hash, c.transaction_index, c.sender_id,
         e.evm_address as sender_address, c.file_id, c.constructor_parameters, k.code,
         (select u.block_number from ledger_unit u where u.consensus_end >= c.origin_ts
          order by u.consensus_end limit 1) as block_number
       from ledger_contract c
       left join tx t on t.consensus_ts = c.created_ts
       left join entity e on e.id = c.sender_id
       left join ledger_code k on k.hash = c.creation_code
       where c.id = ? and c.created_ts is not null and c.transaction_hash is not null
         and c.sender_id is not null`,
    )
    .safeIntegers(true);
  const codeOf = database
    .prepare<[bigint], CodeRow>(
      `select c.created_ts, c.file_id, k.code as creation, r.code as runtime from ledger_contract c
       left join ledger_code k on k.hash = c.creation_code left join ledger_code r on r.hash = c.runtime_code
       where c.id = ?`,
    )
    .safeIntegers(true);
  // The condition on type is that of the index; facet 4 is success.
  const fileTransactions = database
    .prepare<[bigint, bigint], Buffer>(
      `select s.transaction_bytes from tx t join tx_source s on s.consensus_ts = t.consensus_ts
       where t.type in (16, 17, 19) and t.entity_id = ? and t.consensus_ts < ? and t.facet & 4 <> 0
         and s.transaction_bytes is not null
       order by t.consensus_ts desc`,
    )
    .pluck();
  const firstConsensus = database
    .prepare<[], bigint>('select consensus_start from ledger_unit order by consensus_end limit 1')
    .safeIntegers(true)
    .pluck();
  const isFromGenesis = database.prepare<[], number>('select balances_complete from ledger_state').pluck();

  function* fileWrites(file: bigint, before: bigint) {
    for (const transaction of fileTransactions.iterate(file, before)) yield readFileWrite(transaction);
  }

  return {
    async find(address) {
      const id = entityOfLongZero(address, home) ?? byEvmAddress.get(address, address) ?? null;
      if (id === null) return null;
      const stored = runtimeOf.get(id);
      const type = typeOf.get(id) ?? null;
      if (stored === undefined && type !== 'CONTRACT') return type === null ? null : { kind: 'account' };
      return { kind: 'contract', contract: entityId(id), runtimeCode: stored?.code ?? null };
    },
    async creation(contract: EntityId) {
      const row = creationOf.get(contract);
      if (row === undefined) return null;
      const creationCode =
        row.code ??
        (row.file_id === null
          ? null
          : creationCodeOfFile(fileWrites(row.file_id, row.created_ts), row.constructor_parameters));
      if (creationCode === null) return null;
      return {
        creationCode,
        transactionHash: row.transaction_hash,
        recordHash: row.record_hash?.subarray(0, EVM_HASH_LENGTH) ?? null,
        blockNumber: row.block_number,
        transactionIndex: Number(row.transaction_index),
        deployer: row.sender_address ?? longZeroOf(row.sender_id),
      };
    },
    async code(contract: EntityId) {
      const row = codeOf.get(contract);
      if (row === undefined) return null;
      const { created_ts, creation, file_id, runtime } = row;
      return {
        bytecode:
          creation ??
          (file_id === null || created_ts === null
            ? null
            : creationCodeOfFile(fileWrites(file_id, created_ts), null)),
        file: file_id === null ? null : entityId(file_id),
        runtimeCode: runtime,
      };
    },
    async coverage() {
      const first = firstConsensus.get() ?? null;
      return {
        firstConsensus: first === null ? null : consensusTimestamp(first),
        isFromGenesis: isFromGenesis.get() === 1,
      };
    },
  };
}

/** Counts the contracts of a ledger, for `ledgerlens check`. */
export function countContracts(database: SqliteDatabase): ContractCount {
  return database
    .prepare<[], ContractCount>(
      'select count(*) as contracts, count(runtime_code) as "withRuntimeCode" from ledger_contract',
    )
    .get() as ContractCount;
}
