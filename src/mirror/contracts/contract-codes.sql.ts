import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlList } from '../../storage/sql/sql-dialect.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../values/entity-id.ts';
import type { Work } from '../../values/work.ts';
import { createFileCodeReader } from '../ledger/files/file-code.sql.ts';
import { placeOfTime } from '../ledger/place-of-time.sql.ts';
import { entityOfLongZero, type Home, longZeroOf } from '../vocabulary/long-zero-address.ts';
import type { ContractCodes, ContractCount } from './contract-codes.ts';

/** A contract and the file it was made of. */
interface FileRow {
  readonly created_ts: bigint | null;
  readonly file_id: bigint | null;
  /** The code of the file when its transactions were deleted. */
  readonly kept: Buffer | null;
}

interface CreationRow extends FileRow {
  readonly created_ts: bigint;
  readonly transaction_hash: Buffer;
  readonly record_hash: Buffer | null;
  readonly transaction_index: bigint | null;
  readonly sender_id: bigint;
  readonly sender_address: Buffer | null;
  readonly constructor_parameters: Buffer | null;
  readonly code: Buffer | null;
  readonly block_number: bigint | null;
}

interface CodeRow extends FileRow {
  readonly creation: Buffer | null;
  readonly runtime: Buffer | null;
}

const EVM_HASH_LENGTH = 32;

/** Reads the tables `ledger_contract` and `ledger_code`, and files from the transactions that wrote them. */
export function createContractCodes(sql: Sql, home: Home): ContractCodes {
  const byEvmAddress = sql.prepareExactValue<[Uint8Array, Uint8Array], bigint>(
    `select id from (
       select id, created_ts from entity where evm_address = ?
       union all select id, created_ts from entity where alias = ?) e
     order by created_ts desc nulls last limit 1`,
  );
  const typeOf = sql.prepareValue<[bigint], string | null>('select type from entity where id = ?');
  const runtimeOf = sql.prepare<[bigint], { readonly code: Buffer | null }>(
    `select k.code from ledger_contract c left join ledger_code k on k.hash = c.runtime_code where c.id = ?`,
  );
  const creationOf = sql.prepareExact<[bigint], CreationRow>(
    `select c.created_ts, c.transaction_hash, t.hash as record_hash, c.transaction_index, c.sender_id,
       e.evm_address as sender_address, c.file_id, c.constructor_parameters, k.code, f.code as kept,
       (select u.block_number from ledger_unit u where u.place = ${placeOfTime('c.origin_ts')}
        and c.origin_ts between u.consensus_start and u.consensus_end) as block_number
     from ledger_contract c
     left join tx t on t.consensus_ts = c.created_ts
     left join entity e on e.id = c.sender_id
     left join ledger_code k on k.hash = c.creation_code
     left join ledger_code f on f.hash = c.file_code
     where c.id = ? and c.created_ts is not null and c.transaction_hash is not null
       and c.sender_id is not null`,
  );
  const codeOf = sql.prepareExact<[bigint], CodeRow>(
    `select c.created_ts, c.file_id, k.code as creation, r.code as runtime, f.code as kept from ledger_contract c
     left join ledger_code k on k.hash = c.creation_code left join ledger_code r on r.hash = c.runtime_code
     left join ledger_code f on f.hash = c.file_code
     where c.id = ?`,
  );
  const filesOf = sql.prepareExact<[SqlList], { readonly id: bigint; readonly file: bigint }>(
    `select id, file_id as file from ledger_contract where ${sql.dialect.isListed('id')} and file_id is not null`,
  );
  const count = sql.prepare<[], ContractCount>(
    'select count(*) as contracts, count(runtime_code) as "withRuntimeCode" from ledger_contract',
  );
  const readFileCode = createFileCodeReader(sql);
  const firstConsensus = sql.prepareExactValue<[], bigint>(
    'select consensus_start from ledger_unit order by place limit 1',
  );
  const isFromGenesis = sql.prepareValue<[], number>('select balances_complete from ledger_state');

  /** Null when the contract was made of no file, or the ledger does not tell the file. */
  function* fileCode({ created_ts, file_id, kept }: FileRow): Work<Uint8Array | null> {
    if (kept !== null || file_id === null || created_ts === null) return kept;
    return yield* readFileCode(file_id, created_ts);
  }

  return {
    find: sql.reading(function* (address) {
      const id = entityOfLongZero(address, home) ?? (yield* byEvmAddress.get(address, address)) ?? null;
      if (id === null) return null;
      const stored = yield* runtimeOf.get(id);
      const type = (yield* typeOf.get(id)) ?? null;
      if (stored === undefined && type !== 'CONTRACT') return type === null ? null : { kind: 'account' };
      return { kind: 'contract', contract: entityId(id), runtimeCode: stored?.code ?? null };
    }),
    creation: sql.reading(function* (contract: EntityId) {
      const row = yield* creationOf.get(contract);
      if (row === undefined) return null;
      const creationCode = row.code ?? withParameters(yield* fileCode(row), row.constructor_parameters);
      if (creationCode === null) return null;
      return {
        creationCode,
        transactionHash: row.transaction_hash,
        recordHash: row.record_hash?.subarray(0, EVM_HASH_LENGTH) ?? null,
        blockNumber: row.block_number,
        transactionIndex: row.transaction_index === null ? null : Number(row.transaction_index),
        deployer: row.sender_address ?? longZeroOf(row.sender_id),
      };
    }),
    code: sql.reading(function* (contract: EntityId) {
      const row = yield* codeOf.get(contract);
      if (row === undefined) return null;
      const { creation, file_id, runtime } = row;
      return {
        bytecode: (yield* fileCode(row)) ?? creation,
        file: file_id === null ? null : entityId(file_id),
        runtimeCode: runtime,
      };
    }),
    async filesOf(contracts) {
      const rows = await sql.read(() => filesOf.all(sql.dialect.list(contracts)));
      return new Map(rows.map(({ file, id }) => [id, file]));
    },
    coverage: sql.reading(function* () {
      const first = (yield* firstConsensus.get()) ?? null;
      return {
        firstConsensus: first === null ? null : consensusTimestamp(first),
        isFromGenesis: (yield* isFromGenesis.get()) === 1,
      };
    }),
    count: sql.reading(function* () {
      return (yield* count.get()) as ContractCount;
    }),
  };
}

function withParameters(code: Uint8Array | null, parameters: Uint8Array | null): Uint8Array | null {
  return code === null || parameters === null ? code : new Uint8Array(Buffer.concat([code, parameters]));
}
