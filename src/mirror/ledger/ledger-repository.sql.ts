import { prepareSelect, type Sql, type SqlList } from '../../storage/sql/sql.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { type EntityId, encodeEntityId } from '../../values/entity-id.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { bytes, flag, int64, rowTable } from '../../values/row-table.ts';
import { answer, type Work } from '../../values/work.ts';
import { bodyOf } from '../protobuf/transaction-body.ts';
import { rawField } from '../protobuf/wire.ts';
import { SYSTEM_FILE } from '../vocabulary/system-files.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';
import type { SnapshotScope } from './balance-snapshots.ts';
import { storedChainEnd } from './chain-end.ts';
import { createLedgerBackend, INDEXED_BYTES, UNIT_OF_HASH } from './commit/ledger-backend.sql.ts';
import { commitUnits } from './commit/ledger-backend.ts';
import { proofStateOf } from './facets/block-proofs.ts';
import { createFileRepository } from './files/file-repository.sql.ts';
import type { FileVersion } from './files/file-repository.ts';
import { type KnownTrust, NO_PROOF_STATE } from './known-trust.ts';
import { BOOK_PLACE, byPlace, joinPlace, lastBook } from './last-in-chain.sql.ts';
import { NODE_KEY, type NodeKeys } from './ledger-repository.ts';
import { placeOfTime } from './place-of-time.sql.ts';
import { type CommitOutcome, type LedgerUnit, unitHeader } from './rows.ts';

interface LedgerOptions {
  /** Shard of the network's system entities. Default 0n. */
  readonly shard?: bigint;
  /** Realm of the network's system entities. Default 0n. */
  readonly realm?: bigint;
  /** Whether the member `bytes` shows the serialized transaction of what is stored from now on. Default false. */
  readonly transactionBytes?: boolean;
  /** Default `changed`. */
  readonly balanceSnapshots?: SnapshotScope;
}

/** SQL: whether the unit of a time may be stored still; where retention deleted it, the next one is another. */
const IS_KEPT = 's.at >= coalesce((select deleted_before from ledger_retention), 0)';

/**
 * The write side of the ledger.
 *
 * @see contracts/mirror-storage.md section 5
 */
export function createLedgerRepository(
  sql: Sql,
  options: LedgerOptions = {},
  beginCommit: () => Work<void> = () => answer(undefined),
) {
  const backend = createLedgerBackend(sql, options.balanceSnapshots);
  const files = createFileRepository(sql);
  const systemEntity = (num: bigint): EntityId => {
    const id = encodeEntityId(options.shard ?? 0n, options.realm ?? 0n, num);
    if (id !== null) return id;
    throw new LedgerlensError('invalid_entity_id', `System entity ${num} is out of range`);
  };

  const lastUnit = sql.prepareExact<[], object>('select * from ledger_unit order by place desc limit 1');
  const chainEnd = sql.prepareExact<[], { readonly edge: Buffer | null }>(
    `select u.*, t.edge from ledger_unit u left join block_tree t on t.place = u.place
     where u.kind <> 'fixture' order by u.place desc limit 1`,
  );
  const recentUnits = sql.prepareExact<[bigint], object>(
    `select * from ledger_unit where kind <> 'fixture' order by place desc limit ?`,
  );
  const hashOfBlock = sql.prepareValue<[bigint], Buffer>(
    'select hash from ledger_unit where block_number = ? limit 1',
  );
  const { each, list } = sql.dialect;
  const unknownStarts = sql.prepareExactValue<[SqlList], bigint>(
    `select t.value from ${each('t')}
     where (select u.consensus_start from ledger_unit u where u.place >= t.value and u.kind <> 'fixture'
       order by u.place limit 1) is distinct from t.value
       and not exists (select 1 from tx_place p where p.consensus_ts = t.value and p.seq = 0)
     order by t.key`,
  );
  const storedTimes = sql.prepareExactValue<[SqlList], bigint>(
    `select t.value from ${each('t')} join tx on tx.consensus_ts = t.value order by t.key`,
  );
  const deletedBefore = sql.prepareExactValue<[], bigint>('select deleted_before from ledger_retention');
  const unitOfHash = sql.prepareValue<[Uint8Array, Uint8Array], number>(UNIT_OF_HASH);
  const keepRoot = sql.prepare<[Uint8Array, Uint8Array, Uint8Array]>(
    `update ledger_unit set root = ? where substr(hash, 1, 32) = ? and hash = ? and kind = 'record'`,
  );
  const unitOfFile = sql.prepareValue<[Uint8Array], number>(
    'select 1 from ledger_unit where file_hash = ? limit 1',
  );
  const clock = sql.prepareExact<[], { readonly end: bigint | null; readonly back: bigint }>(
    'select stream_end_ts as "end", step_back as back from ledger_state where only_row = 1',
  );
  const placeAt = sql.prepareExactValue<[bigint], bigint | null>(
    `select ${placeOfTime('b.at')} from (select cast(? as bigint) as at) b`,
  );
  const bookBefore = sql.prepareExactValue<[object], bigint>(
    lastBook('@file', `b.start_ts <= @upper and b.is_told = 0 and ${BOOK_PLACE} < @before`),
  );
  // What lies further apart than times ever stepped back stands in the order of time.
  const stakesBefore = sql.prepareExactValue<[object], bigint>(
    `select t.at from (
       select s.at, (select p.seq from tx_place p where p.consensus_ts = s.at) as seq,
         coalesce(${placeOfTime('s.at', IS_KEPT)}, s.at) as place
       from (select distinct consensus_ts as at from node_stake where is_told = 0 and consensus_ts <= @upper
         and consensus_ts >= coalesce((select max(consensus_ts) from node_stake
           where is_told = 0 and consensus_ts < @lower) - @back, 0)) s) t
     where t.place < @before order by t.place desc, coalesce(t.seq, 0) desc, t.at desc limit 1`,
  );
  const nodeKeys = prepareSelect(
    sql,
    NODE_KEY,
    `from address_book_entry e left join node_stake s on s.node_id = e.node_id and s.consensus_ts = ?
     where e.file_id = ? and e.start_ts = ? order by e.node_id`,
  );

  const commitAll = async (units: readonly LedgerUnit[]): Promise<readonly CommitOutcome[]> =>
    sql.write(function* () {
      yield* beginCommit();
      yield* sql.announce('ledger');
      return yield* commitUnits(backend, units, options.transactionBytes ?? false);
    });

  return {
    /** The newest stored unit, from which an import continues; null in an empty ledger. */
    lastUnit: sql.reading(function* () {
      const row = yield* lastUnit.get();
      return row === undefined ? null : unitHeader(row);
    }),
    /** The newest record file or block, which the next one must follow; null before the first. */
    chainEnd: sql.reading(function* () {
      const row = yield* chainEnd.get();
      return row === undefined ? null : storedChainEnd(unitHeader(row), row.edge);
    }),
    /** Keeps the root of the block that a stored record file, known by its hash, is wrapped in, in place of one kept before. */
    async keepRoot(hash: Uint8Array, root: Uint8Array) {
      await sql.write(function* () {
        yield* beginCommit();
        yield* keepRoot.run(root, hash.subarray(0, INDEXED_BYTES), hash);
      });
    },
    /** What the stored units told of keys and ids that proofs of blocks are checked with. */
    knownTrust: createKnownTrust(sql),
    /**
     * Those of the times at which no stored unit of a stream begins.
     *
     * Times before what retention deleted are not told: nobody knows any more.
     */
    unknownStarts: sql.reading(function* (times: readonly ConsensusTimestamp[]) {
      const from = (yield* deletedBefore.get()) ?? 0n;
      const unknown = yield* unknownStarts.all(list(times.filter((time) => time >= from)));
      return unknown.map(consensusTimestamp);
    }),
    /** Those of the times at which a transaction is stored. */
    async storedTimes(times: readonly ConsensusTimestamp[]) {
      return (await sql.read(() => storedTimes.all(list(times)))).map(consensusTimestamp);
    },
    /** The newest record files and blocks, the newest first. */
    async recentUnits(count: number) {
      return (await sql.read(() => recentUnits.all(BigInt(count)))).map(unitHeader);
    },
    /** Hash of the record file or block of a number; null where there is none. */
    hashOfBlock: sql.reading(function* (blockNumber: bigint): Work<Uint8Array | null> {
      return (yield* hashOfBlock.get(blockNumber)) ?? null;
    }),
    /** Whether a record file or block with this hash is stored. */
    hasUnit: sql.reading(function* (hash: Uint8Array) {
      return (yield* unitOfHash.get(hash.subarray(0, INDEXED_BYTES), hash)) !== undefined;
    }),
    /** Whether a unit was made of a file with this SHA-384. */
    hasFile: sql.reading(function* (fileHash: Uint8Array) {
      return (yield* unitOfFile.get(fileHash)) !== undefined;
    }),
    /**
     * Stores units and everything derived from them in one commit: all or none.
     *
     * A unit that ends at or before the last stored one is left alone.
     *
     * @param units in the order of time
     * @returns what became of each
     * @throws LedgerlensError `duplicate_conflict` when a stored consensus timestamp has another hash, `balance_mismatch`
     * when the state of a block has another balance than the transfers.
     */
    commitUnits: commitAll,
    /** The same for one unit. */
    async commitUnit(unit: LedgerUnit): Promise<CommitOutcome> {
      return (await commitAll([unit]))[0] ?? 'already-stored';
    },
    /**
     * What a unit that comes next and begins at `timestamp` is checked with: the book of file 102 that is valid then, with the
     * newest stake of each node (0n when none). What record files and blocks told is valid already, whatever its time, and
     * what is told later in the chain takes its place.
     *
     * @param isStored for a unit that was taken already and holds the time: what was told before it in the chain
     */
    nodeKeysAt: sql.reading(function* (
      timestamp: ConsensusTimestamp,
      isStored = false,
    ): Work<NodeKeys | null> {
      const file = systemEntity(SYSTEM_FILE.NODE_DETAILS);
      const { back = 0n, end = null } = (yield* clock.get()) ?? {};
      const until = end === null || timestamp > end ? timestamp : end + 1n;
      const upper = isStored ? timestamp + back + 1n : until;
      const before = (isStored ? yield* placeAt.get(timestamp) : null) ?? MAX_INT64;
      const start = yield* bookBefore.get({ before, file, upper });
      if (start === undefined) return null;
      const stakes = yield* stakesBefore.get({ back, before, lower: upper - 2n * back - 1n, upper });
      return { nodes: yield* nodeKeys.all(stakes ?? null, file, start) };
    }),
    /**
     * The pieces of a system file that belong to its newest version at or before `timestamp`, joined.
     *
     * @param before a place: as the units before it left the file to what a unit there does at `timestamp`, whatever
     * their times; `MAX_INT64` for a unit that comes next
     */
    async fileContents(
      fileNum: bigint,
      timestamp: ConsensusTimestamp,
      before?: bigint,
    ): Promise<Pick<FileVersion, 'contents' | 'isTold'> | null> {
      const file = systemEntity(fileNum);
      return before === undefined
        ? files.newestVersion(file, 0n, timestamp)
        : files.versionBefore(file, timestamp, before);
    },
  };
}

const PUBLICATION = rowTable({
  consensusTimestamp: int64<ConsensusTimestamp>('p.consensus_ts'),
  ledgerId: bytes('p.ledger_id'),
  body: bytes<Uint8Array | null>('p.body'),
  isSigned: flag('p.is_signed'),
  /** Only of rows that were stored before bodies were kept. */
  transaction: bytes<Uint8Array | null>('s.transaction_bytes'),
});

interface ProofStateRow {
  readonly generation: bigint | null;
  readonly keys: Buffer;
  readonly ledgerId: Buffer | null;
}

/** Reads what the stored units told of keys and ids. */
function createKnownTrust(sql: Sql): () => Promise<KnownTrust> {
  const publications = prepareSelect(
    sql,
    PUBLICATION,
    `from ledger_publication p left join tx_source s on s.consensus_ts = p.consensus_ts and p.body is null
     ${joinPlace('p.consensus_ts')} order by ${byPlace('p.consensus_ts', 'asc')}`,
  );
  const proofState = sql.prepareExact<[], ProofStateRow>(
    'select generation, keys, ledger_id as "ledgerId" from proof_state',
  );
  return async () =>
    sql.read(function* () {
      const row = yield* proofState.get();
      const state = row === undefined ? NO_PROOF_STATE : proofStateOf(row);
      return {
        ...state,
        publications: (yield* publications.all()).map(({ transaction, ...each }) => ({
          ...each,
          body: each.body ?? publicationOf(transaction),
        })),
      };
    });
}

function publicationOf(transaction: Uint8Array | null): Uint8Array | null {
  return transaction === null ? null : rawField(bodyOf(transaction), TYPE.LEDGERIDPUBLICATION);
}
