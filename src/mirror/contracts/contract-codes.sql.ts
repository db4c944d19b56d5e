import type { Sql, SqlList } from '../../storage/sql/sql.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../values/entity-id.ts';
import type { Work } from '../../values/work.ts';
import { createFileCodeReader } from '../ledger/files/file-code.sql.ts';
import { placeOfTime } from '../ledger/place-of-time.sql.ts';
import { entityOfLongZero, type Home, longZeroOf } from '../vocabulary/long-zero-address.ts';
import type { ContractCount, LedgerAccount, LedgerCoverage } from './contract-codes.ts';

/** A contract and the file it was made of. */
interface FileRow {
  readonly created_ts: bigint | null;
  readonly file_id: bigint | null;
  /** The code of the file when its transactions were deleted. */
  readonly kept: Uint8Array | null;
}

interface CreationRow extends FileRow {
  readonly created_ts: bigint;
  readonly transaction_hash: Uint8Array;
  readonly record_hash: Uint8Array | null;
  readonly transaction_index: bigint | null;
  readonly sender_id: bigint;
  readonly sender_address: Uint8Array | null;
  readonly constructor_parameters: Uint8Array | null;
  readonly code: Uint8Array | null;
  readonly block_number: bigint | null;
}

interface CodeRow extends FileRow {
  readonly creation: Uint8Array | null;
  readonly runtime: Uint8Array | null;
}

const EVM_HASH_LENGTH = 32;

/** Reads the tables `ledger_contract` and `ledger_code`, and files from the transactions that wrote them. */
export function createContractCodes(sql: Sql, home: Home) {
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
    /**
     * Finds what an EVM address names: the number in it (`0x000…3e8`), or an address that a contract or account got.
     *
     * @param address 20 bytes
     * @returns null when the imported ledger knows nothing of it.
     */
    find: sql.reading(function* (address: Uint8Array): Work<LedgerAccount | null> {
      const id = entityOfLongZero(address, home) ?? (yield* byEvmAddress.get(address, address)) ?? null;
      if (id === null) return null;
      const stored = yield* runtimeOf.get(id);
      const type = (yield* typeOf.get(id)) ?? null;
      if (stored === undefined && type !== 'CONTRACT') return type === null ? null : { kind: 'account' };
      return { kind: 'contract', contract: entityId(id), runtimeCode: stored?.code ?? null };
    }),
    /** How a contract came to be, as EVM tools see it; null when the creation or its code was not imported. */
    creation: sql.reading(function* (contract: EntityId) {
      const row = yield* creationOf.get(contract);
      if (row === undefined) return null;
      const creationCode = row.code ?? withParameters(yield* fileCode(row), row.constructor_parameters);
      if (creationCode === null) return null;
      return {
        /** With constructor parameters. */
        creationCode,
        /** 32 bytes: the Ethereum hash, else the first 32 bytes of the hash of the transaction that a client sent. */
        transactionHash: row.transaction_hash,
        /** The first 32 bytes of the hash of the record that names the contract: the child's when it has its own. */
        recordHash: row.record_hash?.subarray(0, EVM_HASH_LENGTH) ?? null,
        /** Null when the unit has no number. */
        blockNumber: row.block_number,
        transactionIndex: row.transaction_index === null ? null : Number(row.transaction_index),
        /** 20 bytes: the sender's EVM address, or the one made of its number. */
        deployer: row.sender_address ?? longZeroOf(row.sender_id),
      };
    }),
    /** Null when neither the creation nor the code of the contract was imported. */
    code: sql.reading(function* (contract: EntityId) {
      const row = yield* codeOf.get(contract);
      if (row === undefined) return null;
      const { creation, file_id, runtime } = row;
      return {
        /** What the creation had: the contents of its file without constructor parameters, else initcode. */
        bytecode: (yield* fileCode(row)) ?? creation,
        file: file_id === null ? null : entityId(file_id),
        /** What lies at the contract. */
        runtimeCode: runtime,
      };
    }),
    /** Of each contract the file that it was made of; those of none are left out. */
    async filesOf(contracts: readonly EntityId[]) {
      const rows = await sql.read(() => filesOf.all(sql.dialect.list(contracts)));
      return new Map(rows.map(({ file, id }) => [id, file]));
    },
    coverage: sql.reading(function* (): Work<LedgerCoverage> {
      const first = (yield* firstConsensus.get()) ?? null;
      return {
        firstConsensus: first === null ? null : consensusTimestamp(first),
        isFromGenesis: (yield* isFromGenesis.get()) === 1,
      };
    }),
    /** Reads all contracts. */
    count: sql.reading(function* () {
      return (yield* count.get()) as ContractCount;
    }),
  };
}

function withParameters(code: Uint8Array | null, parameters: Uint8Array | null): Uint8Array | null {
  return code === null || parameters === null ? code : new Uint8Array(Buffer.concat([code, parameters]));
}
